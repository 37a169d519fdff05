import Testing
import ToDoModel

/// Expects `invalidItem` or `invalidRequest` with exactly the given fields, in any order and with any reasons.
func expectViolations<Value>(
  of fields: [String], sourceLocation: SourceLocation = #_sourceLocation, _ operation: () async throws -> Value
) async {
  await #expect(sourceLocation: sourceLocation) {
    try await operation()
  } throws: { error in
    switch error as? ToDoError {
    case .invalidItem(let violations), .invalidRequest(let violations):
      violations.map(\.field).sorted() == fields.sorted() && violations.allSatisfy { !$0.reason.isEmpty }
    default: false
    }
  }
}
