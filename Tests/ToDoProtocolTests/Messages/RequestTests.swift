import Testing
import ToDoModel
import ToDoProtocol
import ToDoTestSupport

/// Requests other than adds and updates.
@Suite struct RequestTests {
  private static let notUTF8: [UInt8] = [0xFF]
  private static let references = [
    ToDoMethods.checkItem.request, ToDoMethods.uncheckItem.request, ToDoMethods.deleteItem.request,
  ]

  // MARK: References

  @Test(arguments: ["", "7", "0198c0de-7000-7abc-8def-0123456789ag"])
  func itemReference_whenIDIsNoUUID_isRejected(_ id: String) {
    for request in Self.references + [ToDoMethods.getItem.request] {
      expectInvalidRequest(["id"]) { try request.decode(ProtobufBytes().field(1, id)) }
    }
  }

  @Test func itemReference_whenIDIsNotUTF8_isMalformed() {
    for request in Self.references + [ToDoMethods.getItem.request] {
      expectMalformed("id") { try request.decode(ProtobufBytes().field(1, Self.notUTF8)) }
    }
  }

  @Test(arguments: [-1, Int64.min])
  func itemReference_whenRevisionIsNegative_isRejected(_ revision: Int64) {
    for request in Self.references {
      expectInvalidRequest(["if_revision"]) {
        try request.decode(ProtobufBytes().field(1, WireItem.idText).field(2, revision))
      }
    }
  }

  @Test func itemReference_withSeveralViolations_reportsAll() {
    for request in Self.references {
      expectInvalidRequest(["id", "if_revision"]) { try request.decode(ProtobufBytes().field(1, "7").field(2, -1)) }
    }
  }

  // MARK: Listings

  @Test(arguments: [("text", 4), ("page_token", 2)])
  func listItemsRequest_whenTextIsNotUTF8_namesField(_ field: String, _ number: UInt64) {
    expectMalformed(field) {
      try ToDoMethods.listItems.request.decode(ProtobufBytes().field(number, Self.notUTF8))
    }
  }

  @Test(arguments: [4, -1, Int64(Int32.max)])
  func listItemsRequest_whenStateAndOrderAreUnknown_reportsBoth(_ value: Int64) {
    expectInvalidRequest(["state", "order"]) {
      try ToDoMethods.listItems.request.decode(ProtobufBytes().field(3, value).field(5, value))
    }
  }

  @Test func listItemsRequest_whenEmpty_selectsAll() throws {
    #expect(try ToDoMethods.listItems.request.decode([]) == ItemQuery())
  }

  @Test func listItemsRequest_whenAlternativeIsInvalid_namesField() {
    let wait = ProtobufBytes().field(5, ProtobufBytes())
    expectInvalidRequest(["filter.any_of[1].wait.time"]) {
      try ToDoMethods.listItems.request.decode(
        ProtobufBytes().field(8, ProtobufBytes().field(6, ProtobufBytes()).field(6, wait)))
    }
    expectInvalidRequest(["filter.any_of[0].any_of"]) {
      try ToDoMethods.listItems.request.decode(
        ProtobufBytes().field(8, ProtobufBytes().field(6, ProtobufBytes().field(6, ProtobufBytes()))))
    }
    expectMalformed("filter.any_of[0].text") {
      try ToDoMethods.listItems.request.decode(
        ProtobufBytes().field(8, ProtobufBytes().field(6, ProtobufBytes().field(7, Self.notUTF8))))
    }
  }

  // MARK: Deletions

  @Test(arguments: [0, 4, -1])
  func deleteItemsRequest_whenSelectionIsInvalid_isRejected(_ selection: Int64) {
    expectInvalidRequest(["selection"]) {
      try ToDoMethods.deleteItems.request.decode(ProtobufBytes().field(1, selection))
    }
  }

  @Test func deleteItemsRequest_whenEmpty_isRejected() {
    expectInvalidRequest(["selection"]) { try ToDoMethods.deleteItems.request.decode([]) }
  }

  // MARK: Renaming

  @Test(arguments: [("from", 1), ("to", 2)])
  func renameTagRequest_whenTextIsNotUTF8_namesField(_ field: String, _ number: UInt64) {
    expectMalformed(field) { try ToDoMethods.renameTag.request.decode(ProtobufBytes().field(number, Self.notUTF8)) }
  }

  // MARK: Health

  @Test func healthCheckRequest_whenServiceIsNotUTF8_isMalformed() {
    expectMalformed("service") {
      try HealthMethods.check.request.decode(ProtobufBytes().field(1, Self.notUTF8))
    }
  }

  @Test(arguments: [4, -1])
  func healthCheckResponse_whenStatusIsUnsupported_isUnknown(_ status: Int64) throws {
    #expect(try HealthMethods.check.response.decode(ProtobufBytes().field(1, status)) == .unknown)
  }
}
