import CToDoProtos
import ToDoModel

/// A path that an update mask can name.
enum UpdatePath: Hashable {
  /// A field, or a part of the place.
  case field(FieldChange.Field)
  /// The whole place.
  case location

  /// Creates a path from its text. The due date has three.
  init?(_ text: String) {
    switch text {
    case "due_time", "due_date": self = .field(.due)
    case "location": self = .location
    default:
      guard let field = FieldChange.Field(rawValue: text), field != .done else { return nil }
      self = .field(field)
    }
  }

  var text: String {
    switch self {
    case .field(let field): field.rawValue
    case .location: "location"
    }
  }

  /// Whether the path includes a field of the request.
  func concerns(_ field: String) -> Bool {
    switch self {
    case .field(.due): field == "item.due_time" || field == "item.due_date"
    case .field(.coordinate):
      field.hasPrefix("item.location.coordinate") || field == "item.location.source"
        || field == "item.location.granularity"
    default: field == "item.\(text)" || field.hasPrefix("item.\(text).") || field.hasPrefix("item.\(text)[")
    }
  }

  /// Decodes a mask, which must name at least one field and no unknown fields.
  ///
  /// - Throws: `RPCError` if a path is not UTF-8.
  static func read(
    _ mask: Google__Protobuf__FieldMask?, _ violations: inout [FieldViolation]
  ) throws -> Set<UpdatePath> {
    var paths: Set<UpdatePath> = []
    var unknown: [String] = []
    for path in UnsafeBufferPointer(start: mask?.paths, count: mask?.n_paths ?? 0) {
      let text = try path.text("update_mask")
      if let path = UpdatePath(text) { paths.insert(path) } else { unknown.append(text) }
    }
    if let first = unknown.first {
      // A mask can be as long as a message, but its error must be short.
      let others = unknown.count > 1 ? " and \(unknown.count - 1) more" : ""
      let excerpt = String(first.unicodeScalars.prefix(100))
      violations.append(FieldViolation("update_mask", "has an unknown path: '\(excerpt)'\(others)"))
    } else if paths.isEmpty {
      violations.append(FieldViolation("update_mask", "must name at least one field"))
    }
    return paths
  }
}
