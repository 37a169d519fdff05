package import CToDoProtos
package import NIOCore

extension ByteBuffer {
  /// Appends an encoded message to the buffer.
  package mutating func writeMessage(_ message: UnsafePointer<ProtobufCMessage>) {
    let count = protobuf_c_message_get_packed_size(message)
    writeWithUnsafeMutableBytes(minimumWritableBytes: count) { target in
      protobuf_c_message_pack(message, target.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }
  }

  /// Appends an encoded message that contains another one in a `bytes` field. The other one is encoded at its place in the
  /// buffer.
  ///
  /// - Parameters:
  ///   - field: the field of the envelope, which this method sets.
  ///   - maximumOverhead: the maximum size of the envelope without the payload, in bytes. `nil` to compute it.
  package mutating func writeMessage(
    _ envelope: UnsafePointer<ProtobufCMessage>, containing payload: Payload,
    in field: UnsafeMutablePointer<ProtobufCBinaryData>, maximumOverhead: Int? = nil
  ) {
    switch payload {
    case .message(let message):
      field.pointee = todo_payload_bytes(message)
      let count = maximumOverhead.map { $0 + field.pointee.len } ?? protobuf_c_message_get_packed_size(envelope)
      writeWithUnsafeMutableBytes(minimumWritableBytes: count) { target in
        guard let start = target.baseAddress else { return 0 }
        return todo_pack_envelope(envelope, message, start.assumingMemoryBound(to: UInt8.self))
      }
    case .encoded(let bytes):
      bytes.withUnsafeReadableBytes { bytes in
        field.pointee = ProtobufCBinaryData(bytes)
        writeMessage(envelope)
      }
    }
    // The field refers to memory that may be freed before the envelope.
    field.pointee = ProtobufCBinaryData()
  }
}

/// The message in an envelope.
package enum Payload {
  /// A message that is encoded with its envelope.
  case message(UnsafePointer<ProtobufCMessage>)
  /// The bytes of a message that was encoded before.
  case encoded(ByteBuffer)
}
