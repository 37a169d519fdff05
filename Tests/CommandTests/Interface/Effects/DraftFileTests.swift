import Foundation
import TestSupport
import Testing
import ToDoModel

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
    return [FormDraft(item: nil, form: form), FormDraft(item: TestBench.id(7), form: form)]
  }()

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

  @Test func path_dependsOnService() throws {
    let path = try file("tcp://a:1").path
    #expect(try file("tcp://a:1").path == path)
    #expect(try file("tcp://b:1").path != path)
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
    _ = FileManager.default.createFile(atPath: directory.file("state"), contents: nil)
    let writer = DraftWriter(file)
    writer.store(Self.drafts[0])
    #expect(writer.writePending()?.reason == "PRIVATE_FILE")
  }
}
