import ToDoProtobuf
import ToDoProtocol
import ToDoRPC
import ToDoTTRPC
import ToDoTestServers

extension RawFrame {
  /// The status that Check and Watch return.
  var healthStatus: HealthStatus {
    get throws {
      let arena = Arena()
      return try data.withUnsafeBytes { bytes in
        let payload = type == 2 ? try ResponseEnvelope(decoding: bytes, in: arena).payload : bytes
        return try HealthMethods.check.response.decode(payload, arena)
      }
    }
  }
}
