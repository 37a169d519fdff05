/// Why a gazetteer cannot be opened.
public enum GazetteerError: Error, Equatable, Sendable {
  case notAGazetteer
  /// It is in a format that this program does not know.
  case unknownVersion(UInt32)
  /// It is cut, or its parts do not fit together.
  case damaged
}

extension GazetteerError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAGazetteer: "it is not a gazetteer"
    case .unknownVersion(let version): "its format is \(version), which this program does not know"
    case .damaged: "it is damaged"
    }
  }
}
