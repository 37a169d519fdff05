import CProtos
package import NIOCore
package import Protobuf
package import RPC

/// The message of a response frame, read in place: valid until its arena is reset.
package struct ResponseEnvelope {
  private let message: UnsafeMutablePointer<Ttrpc__Response>

  package init(decoding bytes: UnsafeRawBufferPointer, in arena: Arena) throws(DecodingFailure) {
    message = try arena.unpack(ttrpc__response__init, bytes)
  }

  package var payload: UnsafeRawBufferPointer { message.pointee.payload.buffer }

  /// What the call failed with; `nil` when it succeeded.
  package func error(in arena: Arena) throws(DecodingFailure) -> RPCError? {
    guard let status = message.pointee.status, status.pointee.code != 0 else { return nil }
    return try RPCError(decoding: status.pointee, in: arena).bounded
  }
}

extension ByteBuffer {
  /// Writes a response frame's data: the envelope around the message of a call that succeeded.
  ///
  /// - Parameter payload: the encoded message.
  package mutating func writeResponseEnvelope(payload: UnsafeRawBufferPointer, arena: Arena) {
    let response = arena.make(ttrpc__response__init)
    response.pointee.payload = ProtobufCBinaryData(payload)
    writeMessage(response.message)
  }

  /// Writes a response frame's data: the envelope around the error of a call that failed.
  package mutating func writeResponseEnvelope(error: RPCError, arena: Arena) {
    let response = arena.make(ttrpc__response__init)
    response.pointee.status = error.status(in: arena)
    writeMessage(response.message)
  }
}
