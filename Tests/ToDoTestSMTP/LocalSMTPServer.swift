#if Nominatim
import FoundationEssentials
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import Testing
package import ToDoTestCertificates
import ToDoTestSupport

/// A mail server on the loopback interface that answers as a test says.
package final class LocalSMTPServer: Sendable {
  /// What the server does.
  package struct Behavior: Sendable {
    /// The extensions that the server offers.
    package var extensions = ["STARTTLS", "AUTH LOGIN PLAIN", "8BITMIME"]
    /// The replies instead of the usual ones, by the verb of the command; `GREETING` and `TEXT` are the others. An empty reply is
    /// none.
    package var replies: [String: String] = [:]
    /// What is sent together with the reply to STARTTLS.
    package var afterStartTLS = ""
    /// Whether the connection is encrypted from the first byte.
    package var isEncrypted = false
    /// The command after which the connection is closed.
    package var end: String?

    /// Creates the usual behavior.
    package init() {}
  }

  /// A message that the server took.
  package struct Message: Equatable, Sendable {
    /// The arguments of the commands, such as `<ann@example.org>`.
    package var (sender, recipient): (String, String)
    /// The name and the password, if there were any.
    package var credentials: [String]
    /// The text as it was sent, without the dots that DATA adds.
    package var text: String
    /// Whether the connection was encrypted.
    package var isEncrypted: Bool

    /// Creates a message.
    package init(sender: String, recipient: String, credentials: [String], text: String, isEncrypted: Bool) {
      (self.sender, self.recipient) = (sender, recipient)
      (self.credentials, self.text, self.isEncrypted) = (credentials, text, isEncrypted)
    }

    /// The body, decoded from base64.
    package var body: String {
      let encoded = text.replacing("\r\n", with: "\n").split(separator: "\n\n", maxSplits: 1).last ?? ""
      return Data(base64Encoded: String(encoded.filter { $0 != "\n" })).map { String(decoding: $0, as: UTF8.self) }
        ?? ""
    }

    /// The value of a header, without folds.
    package func header(_ name: String) -> String? {
      let lines = text.replacing("\r\n ", with: " ").replacing("\r\n", with: "\n").split(separator: "\n\n")[0]
      return lines.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        .map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
    }
  }

  private struct State {
    var port = 0
    var commands: [String] = []
    var messages: [Message] = []
    var channels: [any Channel] = []
  }

  private let state = Mutex(State())
  fileprivate let behavior: Behavior
  fileprivate let tls: NIOSSLContext?

  private init(_ behavior: Behavior, _ tls: NIOSSLContext?) { (self.behavior, self.tls) = (behavior, tls) }

  /// The port.
  package var port: Int { state.withLock(\.port) }

  /// The commands so far, without the text of messages.
  package var commands: [String] { state.withLock(\.commands) }

  /// The messages so far.
  package var messages: [Message] { state.withLock(\.messages) }

  /// Waits until a number of messages has arrived.
  package func waitForMessages(_ count: Int = 1) async {
    await waitUntil("\(count) messages have arrived") { messages.count >= count }
  }

  /// Waits until a command has arrived.
  package func waitForCommand(_ command: String) async {
    await waitUntil("\(command) has arrived") { commands.contains(command) }
  }

  /// Listens on a free port while `body` runs.
  ///
  /// - Parameter certificate: the files of the certificate and the key for STARTTLS.
  @discardableResult
  package static func with<Value>(
    _ behavior: Behavior = Behavior(), certificate: TestCertificates.Files? = nil,
    _ body: (LocalSMTPServer) async throws -> Value
  ) async throws -> Value {
    let server = LocalSMTPServer(behavior, try certificate.map { try $0.context })
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        server.state.withLock { $0.channels.append(channel) }
        return channel.eventLoop.makeCompletedFuture {
          if behavior.isEncrypted, let tls = server.tls {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
          }
          try channel.pipeline.syncOperations.addHandler(Session(server))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    server.state.withLock { $0.port = listener.localAddress?.port ?? 0 }
    let result: Result<Value, any Error>
    do { result = .success(try await body(server)) } catch { result = .failure(error) }
    try? await listener.close()
    for channel in server.state.withLock(\.channels) { try? await channel.close() }
    return try result.get()
  }

  fileprivate func record(_ command: String) { state.withLock { $0.commands.append(command) } }
  fileprivate func record(_ message: Message) { state.withLock { $0.messages.append(message) } }
}

private final class Session: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let server: LocalSMTPServer
  private var line: [UInt8] = []
  private var message: LocalSMTPServer.Message
  private var isInText = false

  init(_ server: LocalSMTPServer) {
    self.server = server
    message = Self.emptyMessage(isEncrypted: server.behavior.isEncrypted)
  }

  private static func emptyMessage(isEncrypted: Bool) -> LocalSMTPServer.Message {
    LocalSMTPServer.Message(sender: "", recipient: "", credentials: [], text: "", isEncrypted: isEncrypted)
  }

  func channelActive(context: ChannelHandlerContext) {
    if !server.behavior.isEncrypted { reply("GREETING", "220 localhost ESMTP", context) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // The handshake has ended.
    if server.behavior.isEncrypted { reply("GREETING", "220 localhost ESMTP", context) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    for byte in unwrapInboundIn(data).readableBytesView {
      line.append(byte)
      guard line.suffix(2) == [0x0D, 0x0A] else { continue }
      let text = String(decoding: line.dropLast(2), as: UTF8.self)
      line = []
      if isInText { receive(text, context) } else { perform(text, context) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func receive(_ text: String, _ context: ChannelHandlerContext) {
    guard text == "." else {
      message.text += (text.hasPrefix(".") ? String(text.dropFirst()) : text) + "\r\n"
      return
    }
    isInText = false
    if server.behavior.replies["TEXT"] == nil { server.record(message) }
    reply("TEXT", "250 2.0.0 queued", context)
  }

  private func perform(_ command: String, _ context: ChannelHandlerContext) {
    server.record(command)
    let verb = String(command.prefix { $0 != " " })
    switch verb {
    case "EHLO":
      let lines = ["localhost"] + server.behavior.extensions.filter { !message.isEncrypted || $0 != "STARTTLS" }
      let text = lines.dropLast().map { "250-\($0)\r\n" }.joined() + "250 \(lines[lines.count - 1])"
      reply(verb, text, context)
    case "STARTTLS": startTLS(context)
    case "AUTH":
      let text = Data(base64Encoded: String(command.split(separator: " ").last ?? "")) ?? Data()
      message.credentials = text.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      reply(verb, "235 2.7.0 welcome", context)
    case "MAIL":
      message.sender = String(command.dropFirst("MAIL FROM:".count))
      reply(verb, "250 2.1.0 ok", context)
    case "RCPT":
      message.recipient = String(command.dropFirst("RCPT TO:".count))
      reply(verb, "250 2.1.5 ok", context)
    case "DATA":
      isInText = server.behavior.replies[verb] == nil
      reply(verb, "354 go on", context)
    case "QUIT": reply(verb, "221 2.0.0 bye", context)
    default: reply(verb, "500 5.5.1 what", context)
    }
  }

  private func startTLS(_ context: ChannelHandlerContext) {
    reply("STARTTLS", "220 2.0.0 go on\r\n\(server.behavior.afterStartTLS)", context)
    guard let tls = server.tls, server.behavior.replies["STARTTLS"] == nil else { return }
    message.isEncrypted = true
    try? context.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls), position: .first)
  }

  private func reply(_ verb: String, _ usual: String, _ context: ChannelHandlerContext) {
    if server.behavior.end == verb { return context.close(promise: nil) }
    let text = server.behavior.replies[verb] ?? usual
    guard !text.isEmpty else { return }
    let end = text.hasSuffix("\r\n") || verb == "STARTTLS" && !server.behavior.afterStartTLS.isEmpty ? "" : "\r\n"
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text + end)), promise: nil)
  }
}

extension TestCertificates.Files {
  fileprivate var context: NIOSSLContext {
    get throws {
      let chain = try NIOSSLCertificate.fromPEMFile(certificate).map { NIOSSLCertificateSource.certificate($0) }
      let key = try NIOSSLPrivateKey(file: key, format: .pem)
      return try NIOSSLContext(
        configuration: .makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key)))
    }
  }
}
#endif
