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

  func response(_ error: RPCError) -> HTTPResponse { HTTPResponse(error) }

  func head(isCompressed: Bool) -> HTTPResponse {
    var head = HTTPResponse(status: 200, contentType: ConnectContent(format, isStream: false).description)
    if isCompressed { head.headers.append(("content-encoding", "gzip")) }
    return head
  }

  func frame(_ message: EncodedMessage) -> ByteBuffer { message.bytes }

  func end(_ error: RPCError?) -> ByteBuffer { ByteBuffer() }
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

  func end(_ error: RPCError?) -> ByteBuffer { Envelope.end(error) }
}
#endif
