import CToDoConformance
import ToDoProtobuf

/// The server that the runner asks for.
struct ServerRequest {
  /// A PEM certificate and its key.
  struct Credentials {
    let certificate: [UInt8]
    let key: [UInt8]
  }

  /// The reason why the server that the runner asks for can't be started.
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  /// The certificate and key to serve TLS with; `nil` to serve plain text.
  let tls: Credentials?
  /// The size in bytes above which a message is rejected; `nil` for the server's own limit.
  let messageLimit: Int?

  /// The host that the server listens on, for which the runner's certificate is valid.
  static let host = "127.0.0.1"

  /// Decodes the runner's message.
  ///
  /// - Throws: `Failure` if it asks for something that the server does not have.
  init(decoding message: [UInt8]) throws {
    let arena = Arena()
    let request = try message.withUnsafeBytes {
      try arena.unpack(connectrpc__conformance__v1__server_compat_request__init, $0).pointee
    }
    guard request.http_version != CONNECTRPC__CONFORMANCE__V1__HTTPVERSION__HTTP_VERSION_3 else {
      throw Failure("HTTP/3 is not served; config.yaml lists the versions")
    }
    guard request.client_tls_cert.isEmpty else {
      throw Failure("certificates of clients are optional at this server; config.yaml says so")
    }
    messageLimit = request.message_receive_limit == 0 ? nil : Int(request.message_receive_limit)
    guard request.use_tls != 0 else {
      tls = nil
      return
    }
    guard let credentials = request.server_creds?.pointee else { throw Failure("the request has no certificate") }
    tls = Credentials(certificate: Array(credentials.cert.buffer), key: Array(credentials.key.buffer))
  }

  /// Returns the message that tells the runner of the server.
  static func response(port: Int, certificate: [UInt8]) -> [UInt8] {
    let arena = Arena()
    let response = arena.make(connectrpc__conformance__v1__server_compat_response__init)
    response.pointee.host = arena.bytes(host)
    response.pointee.port = UInt32(port)
    response.pointee.pem_cert = certificate.withUnsafeBytes { arena.bytes($0) }
    return Array(arena.pack(response.message))
  }
}
