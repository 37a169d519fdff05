import RPC
import TTRPC

extension OutgoingMessages {
  /// Creates the server's side of a ttrpc stream.
  init(stream: StreamID, connection: ServerConnection) {
    self.init { message in
      try await connection.send(on: stream) { (writer, arena) throws(RPCError) in
        try writer.writeData(message, on: stream, arena)
      }
    }
  }
}
