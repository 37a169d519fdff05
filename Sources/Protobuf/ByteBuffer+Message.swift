package import CProtos
package import NIOCore

extension ByteBuffer {
  /// Appends an encoded message to the buffer.
  package mutating func writeMessage(_ message: UnsafePointer<ProtobufCMessage>) {
    let count = protobuf_c_message_get_packed_size(message)
    writeWithUnsafeMutableBytes(minimumWritableBytes: count) { target in
      protobuf_c_message_pack(message, target.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }
  }
}
