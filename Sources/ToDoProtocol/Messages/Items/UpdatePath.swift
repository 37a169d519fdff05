import CToDoProtos
import ToDoModel

/// The fields that an update mask can name.
enum UpdatePath: String {
  case title, description, due
  case dueTime = "due_time"
  case dueDate = "due_date"
  case location
  case locationName = "location.name"
  case locationAddress = "location.address"
  case locationCoordinate = "location.coordinate"
  case tags, priority, steps
  case waitTime = "wait_time"
  case repetition, reminders

  /// Whether the path includes a field of the request.
  func concerns(_ field: String) -> Bool {
    switch self {
    case .due, .dueTime, .dueDate: field == "item.due_time" || field == "item.due_date"
    case .locationCoordinate:
      field.hasPrefix("item.location.coordinate") || field == "item.location.source"
        || field == "item.location.granularity"
    case .tags, .steps, .reminders: field == "item.\(rawValue)" || field.hasPrefix("item.\(rawValue)[")
    default: field == "item.\(rawValue)" || field.hasPrefix("item.\(rawValue).")
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
      if let path = UpdatePath(rawValue: text) { paths.insert(path) } else { unknown.append(text) }
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
