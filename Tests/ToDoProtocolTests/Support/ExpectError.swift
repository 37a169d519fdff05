import Testing
import ToDoModel
import ToDoRPC

/// Expects `invalidItem` with exactly these fields.
func expectInvalidItem<Value>(
  _ fields: [String], sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
) {
  do {
    let value = try body()
    Issue.record("decoded \(value)", sourceLocation: sourceLocation)
  } catch ToDoError.invalidItem(let violations) {
    #expect(violations.map(\.field).sorted() == fields.sorted(), sourceLocation: sourceLocation)
  } catch {
    Issue.record("threw \(error)", sourceLocation: sourceLocation)
  }
}

/// Expects `invalidRequest` with exactly these fields.
func expectInvalidRequest<Value>(
  _ fields: [String], sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
) {
  do {
    let value = try body()
    Issue.record("decoded \(value)", sourceLocation: sourceLocation)
  } catch ToDoError.invalidRequest(let violations) {
    #expect(violations.map(\.field).sorted() == fields.sorted(), sourceLocation: sourceLocation)
  } catch {
    Issue.record("threw \(error)", sourceLocation: sourceLocation)
  }
}

/// Expects the error for a malformed request, with a message that names the field.
func expectMalformed<Value>(
  _ field: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
) {
  do {
    let value = try body()
    Issue.record("decoded \(value)", sourceLocation: sourceLocation)
  } catch let error as RPCError {
    #expect(error.reason == "MALFORMED_REQUEST", sourceLocation: sourceLocation)
    #expect(error.message.hasPrefix("\(field) "), "\(error.message)", sourceLocation: sourceLocation)
  } catch {
    Issue.record("threw \(error)", sourceLocation: sourceLocation)
  }
}
