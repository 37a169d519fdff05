#if HTTP
import NIOCore
import NIOHTTP1
import ToDoRPC

/// The Connect protocol for methods without streams: the body is the message, and the HTTP status reports an error.
struct ConnectUnary: CallProtocol {
  let format: FormatName

  func head(_ headers: HTTPHeaders) throws(RPCError) -> CallHead { try CallHead(connect: headers, isStream: false) }

  func maximumBody(ofMessage limit: Int) -> Int { limit }

  func message(of body: ByteBuffer, _ head: CallHead) -> EncodedMessage {
    EncodedMessage(bytes: body, isCompressed: head.isCompressed)
  }

  func response(_ message: EncodedMessage, _ metadata: ResponseMetadata) -> HTTPResponse {
    var response = head(isCompressed: message.isCompressed)
    response.headers += metadata.unaryHeaders
    response.body = message.bytes
    return response
  }

  func response(_ error: RPCError, _ metadata: ResponseMetadata) -> HTTPResponse {
    var response = HTTPResponse(error)
    response.headers += metadata.unaryHeaders
    return response
  }

  func head(isCompressed: Bool) -> HTTPResponse {
    var head = HTTPResponse(status: 200, contentType: ConnectContent(format, isStream: false).description)
    if isCompressed { head.headers.append(("content-encoding", "gzip")) }
    return head
  }

  func frame(_ message: EncodedMessage) -> ByteBuffer { message.bytes }

  func end(_ error: RPCError?, _ trailers: Metadata) -> ByteBuffer { ByteBuffer() }
}

extension ResponseMetadata {
  /// The headers of a response without a stream, which contain its trailers too.
  fileprivate var unaryHeaders: [(String, String)] {
    headers.headers + trailers.pairs.map { ("trailer-\($0.key)", $0.value) }
  }
}

/// The Connect protocol for methods with streams: messages are in envelopes, and the last one reports an error.
struct ConnectStream: CallProtocol {
  let format: FormatName

  func head(_ headers: HTTPHeaders) throws(RPCError) -> CallHead { try CallHead(connect: headers, isStream: true) }

  func maximumBody(ofMessage limit: Int) -> Int { limit + Envelope.prefixLength }

  func message(of body: ByteBuffer, _ head: CallHead) throws(RPCError) -> EncodedMessage {
    try Envelope.onlyMessage(of: body, head)
  }

  func head(isCompressed: Bool) -> HTTPResponse {
    HTTPResponse(status: 200, contentType: ConnectContent(format, isStream: true).description)
  }

  func frame(_ message: EncodedMessage) -> ByteBuffer { Envelope.frame(message.bytes) }

  func end(_ error: RPCError?, _ trailers: Metadata) -> ByteBuffer { Envelope.end(error, trailers) }
}
#endif
