#if HTTP
import NIOCore
import NIOHTTP1
import ToDoRPC

/// A protocol of calls over HTTP: how the head and the body of a request are read, and how responses are written. Callable
/// from any thread.
protocol CallProtocol: Sendable {
  /// Validates a request's headers.
  ///
  /// - Throws: `RPCError`.
  func head(_ headers: HTTPHeaders) throws(RPCError) -> CallHead

  /// Returns the maximum length of a body.
  ///
  /// - Parameter limit: the maximum length of a message.
  func maximumBody(ofMessage limit: Int) -> Int

  /// The maximum length of a response's message.
  var maximumResponse: Int { get }

  /// Returns the only message of a request.
  ///
  /// - Throws: `RPCError`.
  func message(of body: ByteBuffer, _ head: CallHead) throws(RPCError) -> EncodedMessage

  /// Returns the response of a method without a stream, with the metadata that the method adds.
  func response(_ message: EncodedMessage, _ metadata: ResponseMetadata) -> HTTPResponse

  /// Returns the response of a failed call for which nothing was sent yet, with the metadata that the method adds.
  func response(_ error: RPCError, _ metadata: ResponseMetadata) -> HTTPResponse

  /// Returns the head of a stream's response.
  ///
  /// - Parameter isCompressed: whether its messages may be compressed.
  func head(isCompressed: Bool) -> HTTPResponse

  /// Returns a message of a stream in its frame.
  func frame(_ message: EncodedMessage) -> ByteBuffer

  /// Returns the end of a stream.
  ///
  /// - Parameters:
  ///   - error: the error of a failed call.
  ///   - trailers: the metadata that the method adds.
  func end(_ error: RPCError?, _ trailers: Metadata) -> ByteBuffer
}

extension CallProtocol {
  var maximumResponse: Int { .max }

  func response(_ message: EncodedMessage, _ metadata: ResponseMetadata) -> HTTPResponse {
    var response = head(isCompressed: message.isCompressed)
    response.headers += metadata.headers.headers
    response.body = frame(message)
    response.body.writeImmutableBuffer(end(nil, metadata.trailers))
    return response
  }

  func response(_ error: RPCError, _ metadata: ResponseMetadata) -> HTTPResponse {
    var response = head(isCompressed: false)
    response.headers += metadata.headers.headers
    response.body = end(error, metadata.trailers)
    return response
  }
}

extension Metadata {
  /// The pairs as headers.
  var headers: [(String, String)] { pairs.map { ($0.key, $0.value) } }
}

/// A message in the format of its call.
struct EncodedMessage: Sendable {
  let bytes: ByteBuffer
  /// Whether it is compressed with gzip.
  var isCompressed = false
}
#endif
