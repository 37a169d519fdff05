#if HTTP
import NIOHTTP1
import ToDoProtobufJSON
import ToDoRPC
import ToDoTransport

extension ServerMethod {
  /// Returns the protocol and the format of a request and its response, according to the content type.
  ///
  /// - Throws: `HTTPRejection`.
  func content(
    of request: HTTPRequest, _ messages: MessageJSON.Methods, _ limits: ServerLimits
  ) throws(HTTPRejection) -> (any CallProtocol, any MessageFormat) {
    let types = request.headers["content-type"]
    guard types.count == 1, let type = MediaType(types[0]) else { throw unsupportedType }
    if let charset = type.charset, charset != "utf-8" { throw .unsupportedCharset(charset) }
    if let form = GRPCWeb.Form(type) { return (GRPCWeb(method: name, form: form), ProtoFormat()) }
    guard let content = ConnectContent(type), content.isStream == isStreaming,
      let format = format(content.format, messages, limits)
    else { throw unsupportedType }
    return (content.callProtocol, format)
  }

  /// The rejection of another content type.
  var unsupportedType: HTTPRejection {
    .unsupportedType(ConnectContent.types(isStream: isStreaming) + [GRPCWeb.Form.binary, .text].map(\.rawValue))
  }
}

extension GRPCWeb.Form {
  fileprivate init?(_ type: MediaType) {
    let essence = type.essence
    self.init(rawValue: essence.hasSuffix("+proto") ? String(essence.dropLast("+proto".count)) : essence)
  }
}
#endif
