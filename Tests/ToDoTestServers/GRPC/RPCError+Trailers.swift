#if GRPC
package import NIOHPACK
import ToDoProtobuf
package import ToDoRPC
import ToDoTTRPC
import ToDoTestSupport

extension RPCError {
  /// Reads the status of a call, with the details that gRPC carries beside it. Returns `nil` for the status of success.
  ///
  /// - Throws: `InvalidGRPCResponse`.
  package init?(trailers: HPACKHeaders) throws {
    guard let number = trailers.first(name: "grpc-status").flatMap(Int32.init) else {
      throw InvalidGRPCResponse("there is no status in \(trailers)")
    }
    let code = StatusCode(rawValue: number) ?? .unknown
    let message = (trailers.first(name: "grpc-message") ?? "").percentDecoded
    let details = trailers.first(name: "grpc-status-details-bin")
    guard code != .ok else {
      guard message.isEmpty, details == nil else { throw InvalidGRPCResponse("a success has \(trailers)") }
      return nil
    }
    guard let details else {
      self.init(code, reason: "", domain: "", message)
      return
    }
    guard let status = details.decodedBase64 else { throw InvalidGRPCResponse("\(details) is not base64") }
    // A ttrpc response holds the same status.
    let arena = Arena()
    self = try ProtobufBytes().field(1, status).bytes.withUnsafeBytes {
      try ResponseEnvelope(decoding: $0, in: arena).error(in: arena) ?? .internal
    }
    guard self.code == code, self.message == message else { throw InvalidGRPCResponse("the two statuses differ") }
  }
}
#endif
