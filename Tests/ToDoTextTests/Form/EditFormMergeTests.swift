import Testing

@testable import ToDoText

@Suite struct EditFormMergeTests {
  private typealias Fields = [EditForm.Field: String]

  private func form(_ changes: Fields = [:], note: String = "card") -> EditForm {
    var form = EditForm()
    (form[.title], form[.due], form[.place], form.note) = ("Milk", "Fri 2026-05-01", "Post", note)
    for (field, text) in changes { form[field] = text }
    return form
  }

  private func merge(_ edited: EditForm, _ current: EditForm) -> EditFormMerge {
    EditFormMerge(of: edited, from: form(), to: current)
  }

  @Test func changes_ofDifferentFields_areMerged() throws {
    let merge = merge(form([.steps: "[ ] Ring"], note: "card\ntyped"), form([.title: "Tea", .due: ""]))
    #expect(merge.conflictingFields == [])
    #expect(merge.text == form([.steps: "[ ] Ring", .title: "Tea", .due: ""], note: "card\ntyped").text)
  }

  @Test(
    arguments: [
      ([.steps: "[ ] Ring"], [.steps: "[x] Call"], ["steps"]), ([.title: "Tea"], [.title: "Rum"], ["title"]),
      ([.title: "Tea"], [.title: "Tea"], []), ([.due: ""], [.repetition: "every day"], []),
      ([.remind: "1h before"], [.due: ""], ["due"]), ([.repetition: "every day"], [.due: "Mon 2026-05-04"], ["due"]),
      ([.address: "Markt 1"], [.place: "", .coordinate: "1.0,2.0"], ["place", "coordinate"]),
    ] as [([EditForm.Field: String], [EditForm.Field: String], [String])])
  func changes_conflict_whenTheyConcernTheSame(
    _ edited: [EditForm.Field: String], _ current: [EditForm.Field: String], _ fields: [String]
  ) throws {
    let merge = merge(form(edited), form(current))
    #expect(merge.conflictingFields == fields)
    let merged = form(current.merging(edited) { $1 })
    #expect(try EditForm(parsing: merge.text) == merged)
    #expect((merge.text == merged.text) == fields.isEmpty)
  }

  @Test func text_ofConflicts_hasCurrentValuesAsComments() throws {
    let merge = merge(
      form([.title: "Tea", .place: "Shop"], note: "typed"), form([.title: "Rum", .place: ""], note: "a\r\n---"))
    #expect(merge.conflictingFields == ["title", "place", "note"])
    #expect(merge.text.contains("\n# title: Rum\n# place: (empty)\n# note:\n#   a\r\n#   ---\n"))
    #expect(try EditForm(parsing: merge.text) == form([.title: "Tea", .place: "Shop"], note: "typed"))
  }

  @Test func note_whenOnlyItsLineEndsChange_isNotEdited() {
    let merge = merge(form(note: "card\r\n"), form(note: "Gate code 4711"))
    #expect(merge.conflictingFields == [])
    #expect(merge.text == form(note: "Gate code 4711").text)
  }
}
