package import Protobuf
package import Waiters

/// A method that a server offers: its name and what runs when it is called.
package struct ServerMethod: Sendable {
  package let name: MethodName
  package internal(set) var body: Body
  /// Whether it is answered even by a server that shuts down, as a question about that is.
  package var isAnsweredWhileDraining = false
  /// Whether its calls end as soon as the server shuts down, since they would not end by themselves.
  package var endsWithDrain = false
  /// Whether it acts on the ttrpc connection that it is called on. Other protocols do not offer such a method.
  package var actsOnConnection = false
  /// How many elements all lists of its request may have together.
  package var maximumElements = ServerMethod.defaultMaximumElements

  /// Twice what any method of the to-do list takes, so that the service can say itself what is too much.
  package static let defaultMaximumElements = 1000

  /// Checks a call's credentials before its request is accepted; `nil` if the method serves any caller.
  package var authenticate: Authenticate?
  /// Whether a caller may send several messages over gRPC.
  package var takesManyMessages = false

  package enum Body: Sendable {
    case unary(Unary)
    case streaming(Streaming)
    case cancellation(Cancellation)
  }

  /// Decodes a request in place, on the event loop. Returns the response if it is ready, or the work that produces it.
  ///
  /// A ready response needs no task, which would cost more than most responses.
  package typealias Unary = @Sendable (UnsafeRawBufferPointer, Arena, CallContext) throws -> Lookup<OutgoingMessage>

  /// Throws if the call would not be served for lack of valid credentials.
  package typealias Authenticate = @Sendable (CallContext) async throws -> Void

  /// Decodes a request in place, on the event loop, and returns the work that sends the messages of its stream.
  ///
  /// A client that goes on sending is heard through `IncomingMessages`.
  package typealias Streaming =
    @Sendable (UnsafeRawBufferPointer, Arena) throws ->
    @Sendable (CallContext, IncomingMessages, OutgoingMessages)
    async throws -> Void

  /// Reads which calls of the same connection to cancel, and makes the response.
  package typealias Cancellation =
    @Sendable (UnsafeRawBufferPointer, Arena) throws -> (CallSelection, OutgoingMessage)

  /// One request, one answer.
  package static func unary(_ name: MethodName, _ body: @escaping Unary) -> ServerMethod {
    ServerMethod(name: name, body: .unary(body))
  }

  /// One request or many, any number of answers.
  package static func streaming(_ name: MethodName, _ body: @escaping Streaming) -> ServerMethod {
    ServerMethod(name: name, body: .streaming(body))
  }

  /// ttrpc has no frame that cancels a call, so a method does.
  package static func cancellation(_ name: MethodName, _ body: @escaping Cancellation) -> ServerMethod {
    // What is in flight while a server shuts down can still be cancelled.
    ServerMethod(name: name, body: .cancellation(body), isAnsweredWhileDraining: true, actsOnConnection: true)
  }
}
