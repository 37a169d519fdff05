/// A certificate or key file that cannot be used, and the reason.
public struct TLSFileError: Error, Equatable, CustomStringConvertible {
  /// The path of the file.
  public let path: String
  /// The reason, which follows the path in an error message.
  public let reason: String

  init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  /// The path and the reason.
  public var description: String { "\(path): \(reason)" }
}
