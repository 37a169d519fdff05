/// The bounds of an error that a client received.
///
/// A server can fill a whole frame with an error. Parts beyond these limits are dropped instead of rejected, so that
/// the client still receives the error.
extension RPCError {
  /// The limits of a received error.
  package enum ReceivedLimits {
    /// The maximum size of the message, in bytes of UTF-8.
    package static let message = 4096
    /// The maximum number of violations: eight for each item of the largest batch.
    package static let violations = 4000
    /// The maximum size of a violation's field, and of its reason, in bytes of UTF-8.
    package static let violationText = 1024
    /// The maximum number of metadata entries.
    package static let metadata = 64
    /// The maximum size of a metadata key, and of its value, in bytes of UTF-8.
    package static let metadataText = 1024
    /// The maximum size of the reason, and of the domain, in bytes of UTF-8.
    package static let name = 128
  }

  /// The error within the limits. Its texts can contain control characters, which must be escaped for display.
  package var bounded: RPCError {
    var error = self
    error.message = message.prefix(upToBytes: ReceivedLimits.message)
    error.reason = reason.prefix(upToBytes: ReceivedLimits.name)
    error.domain = domain.prefix(upToBytes: ReceivedLimits.name)
    error.violations = violations.prefix(ReceivedLimits.violations).map { violation in
      Violation(
        field: violation.field.prefix(upToBytes: ReceivedLimits.violationText),
        reason: violation.reason.prefix(upToBytes: ReceivedLimits.violationText))
    }
    if metadata.count > ReceivedLimits.metadata {
      let keys = metadata.keys.sorted().prefix(ReceivedLimits.metadata)
      error.metadata = metadata.filter { keys.contains($0.key) }
    }
    error.metadata = Dictionary(
      error.metadata.map { key, value in
        (key.prefix(upToBytes: ReceivedLimits.metadataText), value.prefix(upToBytes: ReceivedLimits.metadataText))
      }
    ) { first, _ in first }
    return error
  }
}

extension String {
  /// Returns the longest prefix of at most `limit` bytes of UTF-8.
  fileprivate func prefix(upToBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var (prefix, size) = ("", 0)
    for scalar in unicodeScalars {
      size += UTF8.width(scalar)
      guard size <= limit else { break }
      prefix.unicodeScalars.append(scalar)
    }
    return prefix
  }
}
