import Dispatch
package import NIOCore
import NIOPosix
package import ToDoProtobuf
import ToDoProtocol
package import ToDoRPC
import ToDoSupport

/// Methods that a test can suspend and observe. Their requests and responses are texts.
package struct TestMethods: Sendable {
  package static let service = "test.Texts"

  /// The gate at which suspended methods wait.
  package let gate = Gate()
  /// "started", "finished" or "canceled" with the text of the request; "sent" or "released" for messages.
  package let journal = Journal()

  package init() {}

  /// The number of messages that `SendTraced` sends, all at the same time.
  package static let tracedMessages = 12

  /// Field 1 contains the text.
  private static let text = HealthMethods.check.request

  package static func name(_ method: String) -> MethodName { MethodName(service: service, method: method) }

  package static func message(_ text: String) -> OutgoingMessage {
    OutgoingMessage { Self.text.encode(text, $0) }
  }

  private static func message(_ text: String, tracedBy trace: Trace) -> OutgoingMessage {
    OutgoingMessage { arena in withExtendedLifetime(trace) { Self.text.encode(text, arena) } }
  }

  package static func decode(_ bytes: UnsafeRawBufferPointer, _ arena: Arena) throws -> String {
    try text.decode(bytes, arena)
  }

  /// Returns a text of as many bytes. `String(repeating:count:)` appends one at a time.
  private static func large(_ count: String) -> String {
    String(decoding: [UInt8](repeating: UInt8(ascii: "x"), count: Int(count) ?? 0), as: UTF8.self)
  }

  package var table: MethodTable { MethodTable(methods + [Self.cancelCall]) }

  /// The methods with streams on the event loop too. There a method has ended, or waits, when its request has been read.
  package var tableOnEventLoop: MethodTable {
    let methods = methods.map { method in
      var method = method
      method.runsOnEventLoop = true
      return method
    }
    return MethodTable(methods + [Self.cancelCall])
  }

  private static let cancelCall = ServerMethod.cancellation(ConnectionMethods.cancelCall.name) { bytes, arena in
    (
      try ConnectionMethods.cancelCall.request.decode(bytes, arena),
      OutgoingMessage { ConnectionMethods.cancelCall.response.encode((), $0) }
    )
  }

  package var methods: [ServerMethod] {
    [
      unary("Say") { text in text },
      unary("Hold") { text in
        try await gate.wait()
        return text
      },
      unary("HoldStubbornly") { text in
        await gate.waitStubbornly()
        return text
      },
      unary("Large") { count in Self.large(count) },
      unary("HoldLarge") { count in
        try await gate.wait()
        return Self.large(count)
      },
      unary("Break") { _ in throw Breakage() },
      unary("Refuse") { count in
        throw RPCError(.aborted, reason: "REFUSED", Self.large(count))
      },
      streaming("Count") { count, _, outgoing in
        for number in 0..<(Int(count) ?? 0) {
          try await outgoing.send(Self.message("\(number)"))
          journal.record("sent")
        }
      },
      streaming("CountAndHold") { count, _, outgoing in
        for number in 0..<(Int(count) ?? 0) { try await outgoing.send(Self.message("\(number)")) }
        try await gate.wait()
      },
      streaming("CountAndBreak") { count, _, outgoing in
        for number in 0..<(Int(count) ?? 0) { try await outgoing.send(Self.message("\(number)")) }
        throw Breakage()
      },
      streaming("Flood") { size, _, outgoing in
        let message = String(repeating: "x", count: Int(size) ?? 0)
        while true {
          try await outgoing.send(Self.message(message))
          journal.record("sent")
        }
      },
      streaming("SendTraced") { size, _, outgoing in
        let text = String(repeating: "x", count: Int(size) ?? 0)
        try await withThrowingTaskGroup { group in
          for _ in 0..<Self.tracedMessages {
            group.addTask {
              try await outgoing.send(Self.message(text, tracedBy: Trace(journal)))
              journal.record("sent")
            }
          }
          try await group.waitForAll()
        }
      },
      streaming("Echo") { _, incoming, outgoing in
        for try await message in incoming { try await outgoing.send(Self.message(Self.decode(message))) }
      },
      streaming("Collect") { _, incoming, outgoing in
        try await gate.wait()
        var count = 0
        for try await _ in incoming { count += 1 }
        try await outgoing.send(Self.message("\(count)"))
      },
      streaming("CollectStubbornly") { _, incoming, _ in
        await gate.waitStubbornly()
        for try await _ in incoming {}
      },
    ]
  }

  /// Returns the method `Thread`, which responds with the kind of thread on which it resumes after it was suspended.
  package static func thread(runsOnEventLoop: Bool) -> ServerMethod {
    var method = ServerMethod.unary(name("Thread")) { _, _, _ in
      .pending {
        // `Task.yield()` alone may stay on the thread, if it is resumed before it has suspended.
        await withTaskExecutorPreference(QueueExecutor()) { await Task.yield() }
        return message(MultiThreadedEventLoopGroup.currentEventLoop == nil ? "another thread" : "event loop")
      }
    }
    method.runsOnEventLoop = runsOnEventLoop
    return method
  }

  package static func decode(_ message: ByteBuffer) throws -> String {
    let arena = Arena()
    return try message.withUnsafeReadableBytes { try decode($0, arena) }
  }

  private func unary(_ method: String, _ body: @escaping @Sendable (String) async throws -> String) -> ServerMethod {
    .unary(Self.name(method)) { bytes, arena, _ in
      let request = try Self.decode(bytes, arena)
      return .pending {
        let answer = try await watching(request) { try await body(request) }
        return Self.message(answer)
      }
    }
  }

  private func streaming(
    _ method: String,
    _ body: @escaping @Sendable (String, IncomingMessages, OutgoingMessages) async throws -> Void
  ) -> ServerMethod {
    .streaming(Self.name(method)) { bytes, arena in
      let request = try Self.decode(bytes, arena)
      return { _, incoming, outgoing in
        try await watching(request) { try await body(request, incoming, outgoing) }
      }
    }
  }

  private func watching<Value>(_ request: String, _ body: () async throws -> Value) async throws -> Value {
    journal.record("started \(request)")
    do {
      let value = try await body()
      journal.record("\(Task.isCancelled ? "cancelled" : "finished") \(request)")
      return value
    } catch {
      journal.record("\(Task.isCancelled ? "cancelled" : "failed") \(request)")
      throw error
    }
  }
}

/// Records "released" when the last reference to it ends.
private final class Trace: Sendable {
  private let journal: Journal

  init(_ journal: Journal) { self.journal = journal }

  deinit { journal.record("released") }
}

/// An error that a server does not expect.
package struct Breakage: Error {
  package init() {}
}

/// Runs jobs on a thread that is neither an event loop's nor one of Swift's executors.
private final class QueueExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
