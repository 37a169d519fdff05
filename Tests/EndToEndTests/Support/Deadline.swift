import NIOCore
import NIOPosix

/// The time for which a test waits for an expected event. It is much longer than events take.
enum Deadline {
  static let limit = TimeAmount.seconds(20)

  /// Creates a promise that fails at the deadline.
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
