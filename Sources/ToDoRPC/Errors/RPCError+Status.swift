package import CToDoProtos
package import ToDoProtobuf

// The encoding of an error in both protocols: `google.rpc.Status`.

private let errorInfoType = "type.googleapis.com/google.rpc.ErrorInfo"
private let badRequestType = "type.googleapis.com/google.rpc.BadRequest"
private let retryInfoType = "type.googleapis.com/google.rpc.RetryInfo"

extension RPCError {
  /// Builds the `google.rpc.Status`, with its details, in the arena. An error without reason and domain has no `ErrorInfo`.
  package func status(in arena: Arena) -> UnsafeMutablePointer<Google__Rpc__Status> {
    var details: [UnsafeMutablePointer<Google__Protobuf__Any>?] = []
    if !reason.isEmpty || !domain.isEmpty { details.append(arena.any(errorInfoType, errorInfo(in: arena).message)) }
    if !violations.isEmpty { details.append(arena.any(badRequestType, badRequest(in: arena).message)) }
    if let retryAfter { details.append(arena.any(retryInfoType, arena.retryInfo(retryAfter).message)) }
    for detail in self.details { details.append(arena.any(detail)) }
    let status = arena.make(google__rpc__status__init)
    status.pointee.code = code.rawValue
    status.pointee.message = arena.bytes(message)
    status.pointee.n_details = details.count
    status.pointee.details = arena.array(details)
    return status
  }

  private func errorInfo(in arena: Arena) -> UnsafeMutablePointer<Google__Rpc__ErrorInfo> {
    let info = arena.make(google__rpc__error_info__init)
    info.pointee.reason = arena.bytes(reason)
    info.pointee.domain = arena.bytes(domain)
    info.pointee.n_metadata = metadata.count
    info.pointee.metadata = arena.array(
      metadata.sorted { $0.key < $1.key }.map { key, value in
        let entry = arena.make(google__rpc__error_info__metadata_entry__init)
        entry.pointee.key = arena.bytes(key)
        entry.pointee.value = arena.bytes(value)
        return entry
      })
    return info
  }

  private func badRequest(in arena: Arena) -> UnsafeMutablePointer<Google__Rpc__BadRequest> {
    let badRequest = arena.make(google__rpc__bad_request__init)
    badRequest.pointee.n_field_violations = violations.count
    badRequest.pointee.field_violations = arena.array(
      violations.map {
        let violation = arena.make(google__rpc__bad_request__field_violation__init)
        violation.pointee.field = arena.bytes($0.field)
        violation.pointee.description = arena.bytes($0.reason)
        return violation
      })
    return badRequest
  }

  /// Decodes a status. Ignores details of other types, and replaces invalid UTF-8.
  package init(decoding status: Google__Rpc__Status, in arena: Arena) throws(DecodingFailure) {
    self.init(
      StatusCode(rawValue: status.code) ?? .unknown, reason: "", domain: "", status.message.lossyText)
    for detail in UnsafeBufferPointer(start: status.details, count: status.n_details) {
      guard let detail = detail?.pointee else { continue }
      switch detail.type_url.text {
      case errorInfoType:
        let info = try arena.unpack(google__rpc__error_info__init, detail.value.buffer).pointee
        reason = info.reason.lossyText
        domain = info.domain.lossyText
        for entry in UnsafeBufferPointer(start: info.metadata, count: info.n_metadata) {
          guard let entry = entry?.pointee else { continue }
          metadata[entry.key.lossyText] = entry.value.lossyText
        }
      case badRequestType:
        let badRequest = try arena.unpack(google__rpc__bad_request__init, detail.value.buffer).pointee
        for violation in UnsafeBufferPointer(start: badRequest.field_violations, count: badRequest.n_field_violations) {
          guard let violation = violation?.pointee else { continue }
          violations.append(
            Violation(field: violation.field.lossyText, reason: violation.description.lossyText))
        }
      case retryInfoType:
        let info = try arena.unpack(google__rpc__retry_info__init, detail.value.buffer).pointee
        retryAfter = info.retry_delay.flatMap { Duration($0.pointee) }
      default: break
      }
    }
  }
}

extension Arena {
  fileprivate func any(
    _ type: String, _ message: UnsafePointer<ProtobufCMessage>
  ) -> UnsafeMutablePointer<Google__Protobuf__Any> {
    let any = make(google__protobuf__any__init)
    any.pointee.type_url = bytes(type)
    any.pointee.value = ProtobufCBinaryData(pack(message))
    return any
  }

  fileprivate func any(_ detail: RPCError.Detail) -> UnsafeMutablePointer<Google__Protobuf__Any> {
    let any = make(google__protobuf__any__init)
    any.pointee.type_url = bytes(detail.typeURL)
    any.pointee.value = detail.value.withUnsafeBytes { bytes($0) }
    return any
  }
}

extension Arena {
  fileprivate func retryInfo(_ delay: Duration) -> UnsafeMutablePointer<Google__Rpc__RetryInfo> {
    let (seconds, attoseconds) = max(delay, .zero).components
    let duration = make(google__protobuf__duration__init)
    duration.pointee.seconds = seconds
    duration.pointee.nanos = Int32(attoseconds / 1_000_000_000)
    let info = make(google__rpc__retry_info__init)
    info.pointee.retry_delay = duration
    return info
  }
}

extension Duration {
  /// Creates a duration, or returns `nil` if it is negative or out of the range of `google.protobuf.Duration`.
  fileprivate init?(_ message: Google__Protobuf__Duration) {
    guard (0...315_576_000_000).contains(message.seconds), (0..<1_000_000_000).contains(message.nanos) else {
      return nil
    }
    self = .seconds(message.seconds) + .nanoseconds(message.nanos)
  }
}

extension ProtobufCBinaryData {
  fileprivate var lossyText: String { String(decoding: buffer, as: UTF8.self) }
}
