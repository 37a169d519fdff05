#if !TLS
import NIOPosix
import ToDoRPC
import ToDoTTRPCTransport
import ToDoTestSupport
import Testing
import ToDoTransport

@testable import todo_server

/// What a build without the trait TLS rejects.
@Suite(.timeLimited) struct WithoutTLSTests {
  private let remedy =
    "this program was built without TLS; build it with the default traits, or with '--traits TLS'"

  @Test func connect_toTLSEndpoint_isNotSupported() async throws {
    let error = await #expect(throws: RPCError.self) {
      _ = try await ClientChannel.connect(
        to: .tls(host: "example.org", port: 1), on: MultiThreadedEventLoopGroup.singleton
      ) { _ in }
    }
    #expect(error?.reason == "TLS_NOT_SUPPORTED")
    #expect(error?.message == "tls://example.org:1: \(remedy)")
    #expect(error?.isUnsent == true)
  }

  @Test func tlsSettings_areRejected() async {
    let settings: [(ServerSettings.Options, name: String, value: String)] = [
      (ServerSettings.Options(listen: ["tls://localhost:1"]), "listen", "tls://localhost:1"),
      (ServerSettings.Options(grpcListen: ["tls://localhost:2"]), "grpc-listen", "tls://localhost:2"),
      (ServerSettings.Options(tlsCertificate: "c.pem"), "tls-certificate", "c.pem"),
      (ServerSettings.Options(tlsKey: "k.pem"), "tls-key", "k.pem"),
      (ServerSettings.Options(tlsClientCA: "ca.pem"), "tls-client-ca", "ca.pem"),
    ]
    for (options, name, value) in settings {
      let error = await #expect(throws: SettingError.self) { try await ServerSettings(options) }
      #expect(error == SettingError(name: name, value: value, reason: "cannot be used: \(remedy)"))
    }
  }

  @Test func serverTLS_namesCertificate() {
    let error = #expect(throws: TLSFileError.self) {
      try ServerTLS(ServerTLS.Files(certificate: "c.pem", key: "k.pem"))
    }
    #expect(error?.description == "c.pem: cannot be used, because \(remedy)")
  }
}
#endif
