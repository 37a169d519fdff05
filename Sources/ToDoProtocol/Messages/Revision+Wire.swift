import ToDoModel

extension Revision {
  /// Reads a revision and the incarnation beside it; 0 stands for an unknown incarnation.
  init(_ number: Int64, wireIncarnation: UInt64) {
    self.init(number, of: ListIncarnation(wireIncarnation))
  }

  var wireIncarnation: UInt64 { incarnation?.number ?? 0 }
}

extension Revision? {
  /// Reads a precondition: 0 stands for none.
  init(precondition number: Int64, incarnation: UInt64, _ violations: inout [FieldViolation]) {
    if number < 0 { violations.append(FieldViolation("if_revision", "is \(number); it must not be negative")) }
    self = number > 0 ? Revision(number, wireIncarnation: incarnation) : nil
  }
}
