import NIOCore
import NIOPosix

/// How long a test waits for what must happen; much longer than it ever takes.
enum Deadline {
  static let limit = TimeAmount.seconds(20)

  /// A promise that fails when nobody keeps it in time.
  static func promise<Value>(of _: Value.Type = Value.self, for what: String) -> EventLoopPromise<Value> {
    let promise = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: Value.self)
    let timer = promise.futureResult.eventLoop.scheduleTask(in: limit) { promise.fail(TimedOut(what: what)) }
    promise.futureResult.whenComplete { _ in timer.cancel() }
    return promise
  }
}

struct TimedOut: Error {
  let what: String
}
