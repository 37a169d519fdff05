/// An error of opening a gazetteer.
@nonexhaustive
public enum GazetteerError: Error, Equatable, Sendable {
  /// The file that belongs to the program cannot be read.
  case missing(path: String)
  /// The data does not start with the header of a gazetteer.
  case notAGazetteer
  /// The format version of the data is not supported.
  case unknownVersion(UInt32)
  /// The data is truncated or inconsistent.
  case damaged
}

extension GazetteerError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .missing(let path): "the gazetteer \(path) cannot be read; reinstall the program"
    case .notAGazetteer: "the data is not a gazetteer; reinstall the program"
    case .unknownVersion(let version):
      "the gazetteer has the unsupported format version \(version); reinstall the program"
    case .damaged: "the gazetteer is damaged; reinstall the program"
    }
  }
}
