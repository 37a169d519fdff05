import Testing
import ToDoModel

/// The rows of `ItemFields.swift`.
@Suite struct ItemFieldsTests {
  private static let full = ItemContent(
    title: "Milk", itemDescription: "2 l", due: .time(Timestamp(microseconds: 7)), tags: ["a"], priority: .high,
    steps: [Step("Go")], waitUntil: Timestamp(microseconds: 5),
    repetition: Repetition(.calendar(RecurrenceRule(.daily))),
    reminders: [Reminder(.before(seconds: 3600))])

  @Test(arguments: FieldChange.Field.allCases) func row_isThatOfItsField(_ field: FieldChange.Field) {
    #expect(field.row.name == field)
    #expect(ItemField.all.filter { $0.label == field.row.label }.count == 1)
  }

  @Test func edit_thatTakesEachField_makesContentEqual() {
    var edit = ItemEdit()
    for field in ItemField.all { field.editing?.take(Self.full, &edit) }
    #expect(ItemContent(title: "Bread").applying(edit) == Self.full)
  }

  @Test(arguments: ItemField.all.filter { $0.editing != nil }.map(\.name))
  func edit_thatTakesAField_editsOnlyThisOne(_ name: FieldChange.Field) {
    var edit = ItemEdit()
    name.row.editing?.take(Self.full, &edit)
    #expect(!edit.isEmpty && edit.features == name.row.feature)
    #expect(ItemField.all.filter { $0.editing?.isEdited(edit) == true }.map(\.name) == [name])
    name.row.editing?.take(ItemContent(title: ""), &edit)
    #expect(ItemField.all.filter { $0.editing?.isEdited(edit) == true }.map(\.name) == [name])
  }

  @Test func features_ofContent_areThoseOfItsFields() {
    #expect(ItemContent(title: "a", priority: .low).features == .marks)
    #expect(ItemContent(title: "a", waitUntil: Timestamp(microseconds: 5)).features == .waiting)
    #expect(Self.full.features == ItemFeatures.ofFields.reduce(into: []) { $0.formUnion($1.feature) })
  }
}
