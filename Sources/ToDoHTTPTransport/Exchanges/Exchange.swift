#if HTTP
import NIOCore
import ToDoRPC
import ToDoTransport

/// A request and its response. It belongs to the connection's event loop.
protocol Exchange: AnyObject, SendableMetatype {
  /// The client that a proxy forwards the request for; `nil` without a proxy.
  var client: NetworkAddress? { get }
  /// Begins, before any of the body has been read.
  func begin()
  /// Receives a part of the body, which it has asked for.
  func receive(_ bytes: ByteBuffer)
  /// Receives the end of the request.
  func endInput()
  /// Continues to send, because the client has read what was sent.
  func resumeSending()
  /// Ends an exchange that would not end by itself, because the server shuts down.
  func quiesce()
  /// Ends without a response, because none can be delivered.
  func abandon()
}

/// The connection as an exchange sees it. It belongs to the connection's event loop.
protocol ExchangeConnection: AnyObject {
  /// The number of the request on its connection.
  var requestNumber: UInt32 { get }
  /// The state that its requests share.
  var state: ConnectionCalls { get }
  /// Whether the connection serves other requests at the same time.
  var isShared: Bool { get }
  /// Whether the client reads what is sent.
  var isWritable: Bool { get }
  /// Reads the body, and asks a client for it that waits for that.
  func acceptBody()
  /// Sends the response, which ends the exchange.
  func respond(_ response: HTTPResponse)
  /// Rejects the request, and closes the connection unless it can continue.
  func reject(_ rejection: HTTPRejection)
  /// Sends the head of a response whose length is not known.
  func beginResponse(_ response: HTTPResponse)
  /// Sends a part of such a response's body.
  func write(_ bytes: ByteBuffer)
  /// Ends such a response, and the exchange.
  func endResponse()
}
#endif
