import CToDoProtos
package import NIOCore
package import ToDoProtobuf
package import ToDoRPC

/// The envelope in a response frame. It is decoded in place and valid until its arena is reset.
package struct ResponseEnvelope {
  private let message: UnsafeMutablePointer<Ttrpc__Response>

  /// Decodes an envelope.
  ///
  /// - Throws: `DecodingFailure`.
  package init(decoding bytes: UnsafeRawBufferPointer, in arena: Arena) throws(DecodingFailure) {
    message = try arena.unpack(ttrpc__response__init, bytes)
  }

  /// The encoded response message.
  package var payload: UnsafeRawBufferPointer { message.pointee.payload.buffer }

  /// Returns the error of a failed call, or `nil` if the call succeeded.
  package func error(in arena: Arena) throws(DecodingFailure) -> RPCError? {
    guard let status = message.pointee.status, status.pointee.code != 0 else { return nil }
    return try RPCError(decoding: status.pointee, in: arena).bounded
  }
}

extension ByteBuffer {
  /// Writes the data of a response frame: an envelope that contains a successful call's message.
  package mutating func writeResponseEnvelope(payload: Payload, arena: Arena) {
    let response = arena.make(ttrpc__response__init)
    writeMessage(
      response.message, containing: payload, in: &response.pointee.payload, maximumOverhead: maximumPayloadOverhead)
  }

  /// Writes the data of a response frame: an envelope that contains a failed call's error.
  package mutating func writeResponseEnvelope(error: RPCError, arena: Arena) {
    let response = arena.make(ttrpc__response__init)
    response.pointee.status = error.status(in: arena)
    writeMessage(response.message)
  }
}

/// The size of the payload's tag and the longest length.
private let maximumPayloadOverhead = 11
