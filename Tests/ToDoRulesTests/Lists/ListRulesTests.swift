import Testing
import ToDoModel

@testable import ToDoRules

/// The rules of lists, as pure functions.
@Suite struct ListRulesTests {
  private static let (work, home) = (ListID(high: 1, low: 1), ListID(high: 1, low: 2))
  private static func time(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: seconds * 1_000_000) }

  /// Records with the lists Work and Büro, of which Büro is deleted until the second 9.
  private static func sample() throws -> ListRecords {
    var records = ListRecords()
    _ = try records.create(NewList(id: work, name: "Work", color: .red), at: time(1), limit: 9)
    _ = try records.create(NewList(id: home, name: "Büro"), at: time(1), limit: 9)
    _ = try records.delete(home, at: time(2), restorableUntil: time(9))
    return records
  }

  // MARK: Creating

  @Test func create_ofSameList_returnsCurrentList() throws {
    var records = try Self.sample()
    let edited = try records.update(Self.work, ListEdit(name: "Office"), ifVersion: nil, at: Self.time(3))
    let former = records
    #expect(try records.create(NewList(id: Self.work, name: "Work", color: .red), at: Self.time(4), limit: 9) == edited)
    #expect(records == former)
  }

  @Test(arguments: [
    (NewList(id: work, name: "Work"), ToDoError.listIDConflict(work)),
    (NewList(id: work, name: "Office", color: .red), .listIDConflict(work)),
    (NewList(id: home, name: "Büro"), .listIDConflict(home)),
    (NewList(id: ListID(high: 2, low: 2), name: "WÖRK"), .duplicateList(ListID(high: 2, low: 2), existing: work)),
    (NewList(id: ListID(high: 2, low: 2), name: "inbox"), .duplicateList(ListID(high: 2, low: 2), existing: .default)),
    (NewList(id: ListID(high: 2, low: 2), name: "New"), .tooManyLists(limit: 2)),
  ])
  func create_ofOtherList_isRejected(_ new: NewList, _ error: ToDoError) throws {
    var records = try Self.sample()
    #expect(throws: error) { try records.create(new, at: Self.time(3), limit: 2) }
  }

  @Test func create_withDefaultIDOrInvalidName_reportsBoth() {
    var records = ListRecords()
    let error = #expect(throws: ToDoError.self) {
      try records.create(NewList(id: .default, name: " "), at: Self.time(1), limit: 9)
    }
    guard case .invalidRequest(let violations)? = error else {
      Issue.record("another error")
      return
    }
    #expect(violations.map(\.field) == ["name", "id"])
  }

  @Test func create_withNameOfDeletedList_isAllowed() throws {
    var records = try Self.sample()
    #expect(
      try records.create(NewList(id: ListID(high: 2, low: 2), name: "buro"), at: Self.time(3), limit: 9).order == 1)
    #expect(throws: ToDoError.duplicateList(Self.home, existing: ListID(high: 2, low: 2))) {
      try records.undelete(Self.home, at: Self.time(4))
    }
  }

  // MARK: Changing

  @Test func update_ofDefaultList_storesIt() throws {
    var records = try Self.sample()
    let list = try records.update(.default, ListEdit(name: "Eingang", order: 3), ifVersion: 0, at: Self.time(3))
    #expect((list.name, list.order, list.updatedAt, list.createdAt) == ("Eingang", 3, Self.time(3), nil))
    #expect(records.set(includingDeleted: false, at: Self.time(3)).lists.map(\.name) == ["Work", "Eingang"])
  }

  @Test func update_withSameValues_hasNoVersion() throws {
    var records = try Self.sample()
    let former = records
    _ = try records.update(Self.work, ListEdit(name: "Work", color: .red), ifVersion: nil, at: Self.time(3))
    #expect(records == former)
  }

  @Test func update_ofCaseOfName_isAllowed() throws {
    var records = try Self.sample()
    #expect(try records.update(Self.work, ListEdit(name: "WORK"), ifVersion: 1, at: Self.time(3)).name == "WORK")
  }

  @Test(
    arguments: [
      (home, ListEdit(name: "New"), nil, ToDoError.listNotFound(home)),
      (ListID(high: 9, low: 9), ListEdit(name: "New"), nil, .listNotFound(ListID(high: 9, low: 9))),
      (work, ListEdit(name: "Inbox"), nil, .duplicateList(work, existing: .default)),
      (work, ListEdit(order: 7), 9, .listVersionMismatch(work, current: 1)),
      (
        work, ListEdit(), nil,
        .invalidRequest([FieldViolation("update_mask", "must name at least one field")])
      ),
      (work, ListEdit(name: "a/b"), nil, .invalidRequest([FieldViolation("list.name", "must not contain '/'")])),
    ] as [(ListID, ListEdit, Int64?, ToDoError)])
  func update_whenRefused_changesNothing(_ id: ListID, _ edit: ListEdit, _ version: Int64?, _ error: ToDoError) throws {
    var records = try Self.sample()
    let former = records
    #expect(throws: error) { try records.update(id, edit, ifVersion: version, at: Self.time(3)) }
    #expect(records == former)
  }

  // MARK: Deleting

  @Test func delete_ofDefaultList_isRejected() throws {
    var records = try Self.sample()
    #expect(throws: ToDoError.self) { try records.delete(.default, at: Self.time(3), restorableUntil: Self.time(9)) }
    #expect(throws: ToDoError.listNotFound(Self.home)) {
      try records.delete(Self.home, at: Self.time(3), restorableUntil: Self.time(9))
    }
  }

  @Test func undelete_beforeExpiry_restoresList() throws {
    var records = try Self.sample()
    #expect(!records.isAvailable(Self.home))
    #expect(try records.undelete(Self.home, at: Self.time(8)).deletion == nil)
    #expect(records.isAvailable(Self.home))
    #expect(throws: ToDoError.listNotDeleted(Self.home)) { try records.undelete(Self.home, at: Self.time(8)) }
  }

  @Test func deletedList_afterExpiry_isNotFound() throws {
    var records = try Self.sample()
    #expect(throws: ToDoError.listNotFound(Self.home)) { try records.undelete(Self.home, at: Self.time(9)) }
    #expect(throws: ToDoError.listNotFound(Self.home)) { try records.list(Self.home, at: Self.time(9)) }
    #expect(records.set(includingDeleted: true, at: Self.time(8)).lists.count == 3)
    #expect(records.set(includingDeleted: true, at: Self.time(9)).lists.count == 2)
  }

  @Test func removeExpired_beforeExpiry_changesNothing() throws {
    var records = try Self.sample()
    let former = records
    for id in [.default, Self.work, Self.home] { records.removeExpired(id, at: Self.time(8)) }
    #expect(records == former)
    records.removeExpired(Self.home, at: Self.time(9))
    #expect(records[Self.home] == nil)
  }

  // MARK: Order

  @Test func set_isOrderedByPositionThenName() throws {
    var records = ListRecords()
    for (number, name) in ["zoo", "Äpfel", "Bar", "apfel 2"].enumerated() {
      _ = try records.create(NewList(id: ListID(high: 1, low: UInt64(number)), name: name), at: Self.time(1), limit: 9)
    }
    _ = try records.update(ListID(high: 1, low: 0), ListEdit(order: -1), ifVersion: nil, at: Self.time(1))
    let names = records.set(includingDeleted: false, at: Self.time(1)).lists.map(\.name)
    #expect(names == ["zoo", "Inbox", "Äpfel", "apfel 2", "Bar"])
  }
}
