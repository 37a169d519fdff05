import ToDoModel

extension Revision {
  /// Creates a revision from its number and incarnation. 0 represents an unknown incarnation.
  init(_ number: Int64, wireIncarnation: UInt64) {
    self.init(number, of: ListIncarnation(wireIncarnation))
  }

  /// The number of the incarnation, or 0 if it is unknown.
  var wireIncarnation: UInt64 { incarnation?.number ?? 0 }
}

extension Revision? {
  /// Decodes a precondition. 0 represents no precondition.
  init(precondition number: Int64, incarnation: UInt64, _ violations: inout [FieldViolation]) {
    if number < 0 { violations.append(FieldViolation("if_revision", "is \(number); it must not be negative")) }
    self = number > 0 ? Revision(number, wireIncarnation: incarnation) : nil
  }
}
