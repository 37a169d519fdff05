import CToDoProtos
package import NIOCore
package import ToDoProtobuf
package import ToDoRPC

/// The envelope in a request frame. It is decoded in place and valid until its arena is reset.
package struct RequestEnvelope {
  private let message: UnsafeMutablePointer<Ttrpc__Request>

  /// Decodes an envelope.
  ///
  /// - Throws: `DecodingFailure`.
  package init(decoding bytes: UnsafeRawBufferPointer, in arena: Arena) throws(DecodingFailure) {
    message = try arena.unpack(ttrpc__request__init, bytes)
  }

  /// The full name of the service, which may not be UTF-8.
  package var service: UnsafeRawBufferPointer { message.pointee.service.buffer }
  /// The name of the method, which may not be UTF-8.
  package var method: UnsafeRawBufferPointer { message.pointee.method.buffer }
  /// The encoded request message.
  package var payload: UnsafeRawBufferPointer { message.pointee.payload.buffer }

  /// The caller's timeout; `nil` if the caller set none. A negative timeout has already expired.
  package var timeout: Duration? {
    message.pointee.timeout_nano == 0 ? nil : .nanoseconds(message.pointee.timeout_nano)
  }

  /// The total size of the metadata's keys and values, in bytes.
  package var metadataSize: Int {
    UnsafeBufferPointer(start: message.pointee.metadata, count: message.pointee.n_metadata)
      .reduce(0) { $0 + ($1?.pointee.key.len ?? 0) + ($1?.pointee.value.len ?? 0) }
  }

  /// Returns the metadata.
  ///
  /// - Throws: `.malformed` if a key or a value is not UTF-8.
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
  /// Writes the data of a request frame: an envelope that contains a message.
  package mutating func writeRequestEnvelope(
    _ method: MethodName, timeout: Duration?, metadata: Metadata, payload: Payload, arena: Arena
  ) {
    let request = arena.make(ttrpc__request__init)
    request.pointee.service = arena.bytes(method.service)
    request.pointee.method = arena.bytes(method.method)
    request.pointee.timeout_nano = timeout?.clampedNanoseconds ?? 0
    request.pointee.n_metadata = metadata.pairs.count
    request.pointee.metadata = arena.array(
      metadata.pairs.map { key, value in
        let pair = arena.make(ttrpc__key_value__init)
        pair.pointee.key = arena.bytes(key)
        pair.pointee.value = arena.bytes(value)
        return pair
      })
    writeMessage(request.message, containing: payload, in: &request.pointee.payload)
  }
}

extension Duration {
  /// The duration in nanoseconds, at least 1. It is -1 if no time is left, because 0 means that there is no timeout.
  var clampedNanoseconds: Int64 {
    guard self > .zero else { return -1 }
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || carry ? .max : max(sum, 1)
  }
}
