package import NIOCore
import NIOPosix
import ToDoTestSupport

/// The time for which a test waits for an expected event. It is much longer than events take.
package enum Deadline {
  package static var limit: TimeAmount { TimeAmount(TestLimits.wait) }

  /// Creates a promise that fails at the deadline.
  package static func promise<Value>(of _: Value.Type = Value.self, for what: String) -> EventLoopPromise<Value> {
    let promise = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: Value.self)
    let timer = promise.futureResult.eventLoop.scheduleTask(in: limit) { promise.fail(TimedOut(what: what)) }
    promise.futureResult.whenComplete { _ in timer.cancel() }
    return promise
  }
}

package struct TimedOut: Error {
  package let what: String
}
