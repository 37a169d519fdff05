import Foundation
import Testing
import ToDoModel
import ToDoScreens
import ToDoSupport
import ToDoTestSupport
import ToDoText

@testable import todo

@Suite struct DraftFileTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func file(_ service: String = "embedded /items.sqlite") throws -> DraftFile {
    let state = directory.file("state")
    return try DraftFile(for: service) { $0 == "XDG_STATE_HOME" ? state : nil }
  }

  private static let drafts: [FormDraft] = {
    var form = EditForm()
    form[.title] = "Call \"Ann\": now"
    form[.due] = "tomorrow 17:00"
    form.note = "first\n---\nlast"
    let id = TestBench.id(7)
    return [
      FormDraft(item: nil, form: form), FormDraft(item: id, form: form),
      FormDraft(item: id, revision: Revision(12), form: form),
      FormDraft(item: nil, form: form, place: place("Halle (near Brussels), Flanders, Belgium")),
      FormDraft(item: id, revision: Revision(12), form: form, place: place("")),
      FormDraft(item: nil, form: form, place: place("Halle", .init(source: "gazetteer", granularity: .locality))),
      FormDraft(item: nil, form: form, place: place("", .init(source: "gazetteer", granularity: .street))),
      FormDraft(item: nil, form: form, isLine: true),
      FormDraft(item: id, form: form, list: DraftList(id: ListID(high: 1, low: 2), name: "Home office")),
      FormDraft(
        item: nil, form: form, place: place("Halle"), isLine: true,
        list: DraftList(id: ListID(high: 1, low: 2), name: "Work")),
    ]
  }()

  private static func place(_ name: String, _ provenance: Location.Provenance? = nil) -> ChosenPlace? {
    Coordinate(latitude: 50.73385, longitude: -4.23454).map {
      ChosenPlace(coordinate: $0, provenance: provenance, name: name)
    }
  }

  @Test func draft_ofEarlierVersion_isRead() throws {
    let file = try file()
    let text = "---\n# A draft of a new item.\n# Save the form.\ntitle: Milk\naddress: Halle\ncoordinate:\n---\nnote\n"
    try PrivateFile.write(text, to: file.path)
    var form = EditForm()
    (form[.title], form[.address], form.note) = ("Milk", "Halle", "note")
    #expect(try file.read() == FormDraft(item: nil, form: form))
  }

  @Test(arguments: drafts) func draft_afterStoring_isRead(_ draft: FormDraft) throws {
    let file = try file()
    #expect(try file.read() == nil)
    try file.store(draft)
    let stored = try #require(try file.read())
    #expect(stored == draft)
    try file.store(nil)
    #expect(try file.read() == nil)
  }

  @Test func file_isPrivate() throws {
    let file = try file()
    try file.store(Self.drafts[0])
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func file_whenOtherUsersCouldReplaceIt_isNotCreated() throws {
    let state = directory.file("state/todo")
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: state)
    #expect(throws: PrivateFileError.self) { try file() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: state) == [])
  }

  @Test func path_dependsOnService() throws {
    let first = try file("tcp://a:1")
    first.close()
    #expect(try file("tcp://a:1").path == first.path)
    #expect(try file("tcp://b:1").path != first.path)
  }

  @Test func file_withOtherFormat_isRejectedAndKept() throws {
    let file = try file()
    try file.store(Self.drafts[0])
    try Data("nonsense".utf8).write(to: URL(filePath: file.path))
    #expect(throws: EditFormError.self) { try file.read() }
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  @Test func writer_storesLatestDraft() throws {
    let file = try file()
    let writer = DraftWriter(file)
    writer.store(Self.drafts[0])
    writer.store(Self.drafts[1])
    #expect(writer.writePending() == nil)
    #expect(try file.read() == Self.drafts[1])
  }

  @Test func writer_whenFileCannotBeWritten_returnsFailure() throws {
    let file = try file()
    try FileManager.default.removeItem(atPath: directory.file("state"))
    _ = FileManager.default.createFile(atPath: directory.file("state"), contents: nil)
    let writer = DraftWriter(file)
    writer.store(Self.drafts[0])
    #expect(writer.writePending()?.reason == "PRIVATE_FILE")
  }

  @Test func writer_whenClosed_storesDraftAndReleasesFile() throws {
    let writer = DraftWriter(try file())
    writer.store(Self.drafts[0])
    #expect(writer.close() == nil)
    let next = try file()
    #expect(try next.read() == Self.drafts[0])
    withExtendedLifetime(writer) {}
  }
}

// MARK: - Slots

extension DraftFileTests {
  @Test func file_whileAnotherIsOpen_hasNextSlot() throws {
    let first = try file()
    let second = try file()
    #expect(second.path == String(first.path.dropLast(3)) + "-2.md")
    try first.store(Self.drafts[0])
    try second.store(Self.drafts[1])
    #expect(try first.read() == Self.drafts[0])
    #expect(try second.read() == Self.drafts[1])
  }

  @Test func file_afterStoringDraft_remainsLocked() throws {
    let first = try file()
    try first.store(Self.drafts[0])
    try first.store(nil)
    try first.store(Self.drafts[1])
    let second = try file()
    #expect(second.path != first.path)
    #expect(try second.read() == nil)
    withExtendedLifetime(first) {}
  }

  @Test func file_whenAnotherIsClosed_restoresItsDraft() throws {
    let first = try file()
    let second = try file()
    try second.store(Self.drafts[1])
    second.close()
    let third = try file()
    #expect(third.path == second.path)
    #expect(try third.read() == Self.drafts[1])
    withExtendedLifetime(first) {}
  }

  @Test func file_whenEarlierSlotIsFree_restoresDraftOfLaterOne() throws {
    let files = try [file(), file()]
    try files[1].store(Self.drafts[0])
    for file in files { file.close() }
    let next = try file()
    #expect(try next.read() == Self.drafts[0])
    let other = try file()
    #expect(other.path == files[0].path)
    withExtendedLifetime(next) {}
  }

  @Test func file_whenAllSlotsAreLocked_fails() throws {
    let files = try (1...DraftFile.slotCount).map { _ in try file() }
    #expect(Set(files.map(\.path)).count == DraftFile.slotCount)
    #expect(throws: Failure.self) { _ = try file() }
    files[4].close()
    #expect(try file().path == files[4].path)
    withExtendedLifetime(files) {}
  }
}
