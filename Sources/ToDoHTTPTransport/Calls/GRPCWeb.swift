#if HTTP
import NIOCore
import NIOHPACK
import NIOHTTP1
import ToDoGRPCTransport
import ToDoRPC

/// gRPC-Web: messages in envelopes, as in gRPC, and the trailers in the last one.
struct GRPCWeb: CallProtocol {
  /// The forms in which a body is sent, with their content types.
  enum Form: String {
    case binary = "application/grpc-web"
    /// Each envelope is base64, because some browsers show the parts of a response only as text.
    case text = "application/grpc-web-text"
  }

  let method: MethodName
  let form: Form

  private static let trailersFlag: UInt8 = 0x80
  /// The maximum length of a message as text, because the event loop decodes and encodes it.
  static let maximumText = 1 << 20

  // MARK: Requests

  func head(_ headers: HTTPHeaders) throws(RPCError) -> CallHead {
    let metadata = HPACKHeaders(Metadata(headers).pairs.map { ($0.key, $0.value) })
    do {
      let head = try RequestHead(method.service, method.method, metadata)
      return CallHead(
        timeout: head.timeout, isCompressed: head.encoding == .gzip, acceptsGzip: head.responseEncoding == .gzip,
        metadata: head.metadata)
    } catch {
      if case .status(let error) = error { throw error }
      throw .internal
    }
  }

  func maximumBody(ofMessage limit: Int) -> Int {
    switch form {
    case .binary: limit + Envelope.prefixLength
    case .text: (min(limit, Self.maximumText) + Envelope.prefixLength + 2) / 3 * 4
    }
  }

  var maximumResponse: Int { form == .text ? Self.maximumText : .max }

  func message(of body: ByteBuffer, _ head: CallHead) throws(RPCError) -> EncodedMessage {
    guard let bytes = form == .binary ? body : body.base64Decoded else {
      throw .malformed("the body is not base64 in groups of four digits")
    }
    return try Envelope.onlyMessage(of: bytes, head)
  }

  // MARK: Responses

  /// An error before the first message comes in the headers, and the body is empty.
  func response(_ error: RPCError, _ metadata: ResponseMetadata) -> HTTPResponse {
    var response = head(isCompressed: false)
    response.headers += metadata.headers.headers + trailers(error, metadata.trailers)
    return response
  }

  func head(isCompressed: Bool) -> HTTPResponse {
    var head = HTTPResponse(status: 200, contentType: form.rawValue + "+proto")
    if isCompressed { head.headers.append(("grpc-encoding", "gzip")) }
    return head
  }

  func frame(_ message: EncodedMessage) -> ByteBuffer {
    encoded(Envelope.frame(message.bytes, flags: message.isCompressed ? Envelope.compressedFlag : 0))
  }

  func end(_ error: RPCError?, _ metadata: Metadata) -> ByteBuffer {
    var text = ByteBuffer()
    for (name, value) in trailers(error, metadata) { text.writeString("\(name): \(value)\r\n") }
    return encoded(Envelope.frame(text, flags: Self.trailersFlag))
  }

  private func trailers(_ error: RPCError?, _ metadata: Metadata) -> [(String, String)] {
    (error.map(HPACKHeaders.failure) ?? .success).map { ($0.name, $0.value) } + metadata.headers
  }

  private func encoded(_ frame: ByteBuffer) -> ByteBuffer { form == .binary ? frame : frame.base64Encoded }
}
#endif
