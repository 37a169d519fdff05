import CProtos
package import NIOCore
package import Protobuf
package import RPC

/// The message of a request frame, read in place: valid until its arena is reset.
package struct RequestEnvelope {
  private let message: UnsafeMutablePointer<Ttrpc__Request>

  package init(decoding bytes: UnsafeRawBufferPointer, in arena: Arena) throws(DecodingFailure) {
    message = try arena.unpack(ttrpc__request__init, bytes)
  }

  package var service: UnsafeRawBufferPointer { message.pointee.service.buffer }
  package var method: UnsafeRawBufferPointer { message.pointee.method.buffer }
  package var payload: UnsafeRawBufferPointer { message.pointee.payload.buffer }

  /// How long the caller waits; `nil` when it set no bound. A negative value has passed already.
  package var timeout: Duration? {
    message.pointee.timeout_nano == 0 ? nil : .nanoseconds(message.pointee.timeout_nano)
  }

  /// How many bytes the keys and values of the metadata have together.
  package var metadataSize: Int {
    UnsafeBufferPointer(start: message.pointee.metadata, count: message.pointee.n_metadata)
      .reduce(0) { $0 + ($1?.pointee.key.len ?? 0) + ($1?.pointee.value.len ?? 0) }
  }

  /// - Throws: `.malformed` when a key or a value is no UTF-8.
  package func metadata() throws(DecodingFailure) -> Metadata {
    var metadata = Metadata()
    for pair in UnsafeBufferPointer(start: message.pointee.metadata, count: message.pointee.n_metadata) {
      guard let key = pair?.pointee.key.text, let value = pair?.pointee.value.text else { throw .malformed }
      metadata.append(key, value)
    }
    return metadata
  }
}

extension ByteBuffer {
  /// Writes a request frame's data: the envelope around a message.
  package mutating func writeRequestEnvelope(
    _ method: MethodName, timeout: Duration?, metadata: Metadata, payload: UnsafeRawBufferPointer, arena: Arena
  ) {
    let request = arena.make(ttrpc__request__init)
    request.pointee.service = arena.bytes(method.service)
    request.pointee.method = arena.bytes(method.method)
    request.pointee.payload = ProtobufCBinaryData(payload)
    request.pointee.timeout_nano = timeout?.clampedNanoseconds ?? 0
    request.pointee.n_metadata = metadata.pairs.count
    request.pointee.metadata = arena.array(
      metadata.pairs.map { key, value in
        let pair = arena.make(ttrpc__key_value__init)
        pair.pointee.key = arena.bytes(key)
        pair.pointee.value = arena.bytes(value)
        return pair
      })
    writeMessage(request.message)
  }
}

extension Duration {
  /// In nanoseconds, at least 1; -1 when no time is left, as the wire's 0 means no bound.
  var clampedNanoseconds: Int64 {
    guard self > .zero else { return -1 }
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || carry ? .max : max(sum, 1)
  }
}
