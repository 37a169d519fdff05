import Foundation
import Synchronization
import Testing
import ToDoModel
import ToDoRPC
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// Tests of `todo edit` without options, with a fake editor.
@Suite(.unitTimeLimited) struct EditInEditorTests {
  private let directory: TemporaryDirectory
  private let geocoder = MockGeocoder()
  private let bench: TestBench
  private let editor = FakeEditor()

  init() async throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    bench = TestBench(geocoder: geocoder)
    await bench.run("add Milk --note card --due fri --place Post")
    bench.change { [editor] in
      $0.isInteractive = true
      $0.environment["XDG_STATE_HOME"] = directory.path
      $0.editor = editor.open
    }
  }

  private func content() async throws -> ItemContent { try await bench.service.item(TestBench.id(1)).content }

  private var forms: [String] { (try? FileManager.default.contentsOfDirectory(atPath: directory.file("todo"))) ?? [] }

  @Test func form_whenFieldsChange_savesThem() async throws {
    editor.script {
      $0.replacing("title: Milk", with: "title: Oat milk").replacing("place: Post", with: "place:") + "more\n"
    }
    let run = await bench.run("edit 1 --color never")
    #expect(run == .init(status: .success, output: "Edited 1: Oat milk · Fri 1 May\n", error: ""))
    #expect(try await content().itemDescription == "card\nmore")
    #expect(forms == [])
    #expect(editor.modes == [0o600])
  }

  @Test func form_ofReminders_keepsTheStatesOfThoseThatStay() async throws {
    await bench.run("edit 1 --due '11:00' --remind 1h")
    await bench.run("remind --once")
    let told = try await content().reminders
    editor.script { $0.replacing("remind: 1h before\n", with: "remind: 30min, 1h before\n") }
    #expect(await bench.run("edit 1").status == .success)
    #expect(told[0].acknowledged != nil)
    #expect(try await content().reminders == [Reminder(.before(seconds: 1800)), told[0]])
  }

  /// The editor would follow a link in the place of the form.
  @Test func form_whenOtherUsersCouldReplaceIt_isNotOpened() async throws {
    let state = directory.file("todo")
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: state)
    editor.script { $0 }
    let run = await bench.run("edit 1")
    #expect(run.error.contains("\(state): other users can replace files in it"))
    #expect(editor.commands == [])
    #expect(forms == [])
  }

  @Test func form_whenReplacedByLink_leavesTargetAsItIs() async throws {
    let target = directory.file("target")
    _ = FileManager.default.createFile(atPath: target, contents: nil, attributes: [.posixPermissions: 0o644])
    bench.change {
      $0.editor = { _, path in
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
      }
    }
    let run = await bench.run("edit 1")
    #expect(run.status != .success)
    #expect(try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int == 0o644)
  }

  @Test func form_whenUnchanged_changesNothing() async throws {
    editor.script { $0 }
    #expect(await bench.run("edit 1") == .init(status: .success, output: "", error: "Nothing changed.\n"))
    #expect(try await bench.service.item(TestBench.id(1)).revision == Revision(1))
    #expect(forms == [])
  }

  @Test(
    arguments: [
      (["VISUAL": "code -w", "EDITOR": "ed"], "code -w"), (["EDITOR": "ed"], "ed"), ([:], "vi"),
    ] as [([String: String], String)])
  func editor_isTakenFromEnvironment(_ environment: [String: String], _ command: String) async {
    bench.change { $0.environment.merge(environment) { $1 } }
    editor.script { $0 }
    await bench.run("edit 1")
    #expect(editor.commands == [command])
  }

  @Test(arguments: [
    ("title: Milk", "title:", "title must not be blank"), ("title: Milk", "title", "line 4 of the form"),
    ("due: Fri 2026-05-01", "due: soonish", "'soonish' is not a date"),
    ("coordinate:", "coordinate: x", "'x' is not a"),
  ])
  func form_whenRejected_isEditedAgain(_ old: String, _ new: String, _ message: String) async throws {
    editor.script { $0.replacing("\n\(old)\n", with: "\n\(new)\n") }
    editor.script { $0.replacing("\n\(new)\n", with: "\n\(old)\n").replacing("title: Milk", with: "title: Tea") }
    bench.change { $0.answers = ["y"] }
    let run = await bench.run("edit 1")
    #expect(run.status == .success)
    #expect(run.error.contains(message))
    #expect(run.error.hasSuffix(".\nEdit it again? [y/N] "))
    #expect(try await content().title == "Tea")
    #expect(forms == [])
  }

  @Test func form_whenUserDeclines_staysInPrivateFile() async throws {
    editor.script { $0.replacing("title: Milk", with: "title:") + "typed" }
    bench.change { $0.answers = ["n"] }
    let run = await bench.run("edit 1")
    #expect(run.status == .usage)
    try expectForm(containing: "typed", in: run)
  }

  @Test func form_whenDuplicate_isRejectedUnlessAllowed() async throws {
    await bench.run("add Tea")
    await bench.run("add Rum")
    for _ in 1...2 { editor.script { $0.replacing("title: Rum", with: "title: Tea") } }
    #expect(await bench.run("edit 3").status == .conflict)
    #expect(await bench.run("edit 3 --allow-duplicate").status == .success)
  }

  @Test(arguments: [(["y"], ToDoSupport.ExitStatus.success), (["n", "n"], .notFound)])
  func form_whenAddressIsUnknown_prompts(_ answers: [String], _ status: ToDoSupport.ExitStatus) async {
    editor.script { $0.replacing("address:", with: "address: Nowhere 1") }
    bench.change { $0.answers = answers }
    let run = await bench.run("edit 1")
    #expect(run.status == status)
    #expect(run.error.hasPrefix("No coordinates found for 'Nowhere 1'. Save without coordinates? [y/N] "))
    #expect(forms.isEmpty == (status == .success))
  }

  @Test func form_whenAnotherFieldChangesElsewhere_isSavedBesideIt() async throws {
    await bench.run("step 1 add Ring")
    let changes = changing {
      $0.steps = [Step("Ring", isDone: true)]
      $0.title = "Oat milk"
    }
    editor.script(during: changes) { $0.replacing("priority:\n", with: "priority: high\n") + "typed\n" }
    let run = await bench.run("edit 1")
    #expect(run.status == .success)
    let content = try await content()
    #expect(content.title == "Oat milk")
    #expect(content.steps == [Step("Ring", isDone: true)])
    #expect(content.priority == .high)
    #expect(content.itemDescription == "card\ntyped")
    #expect(editor.commands.count == 1)
    #expect(forms == [])
  }

  @Test func form_whenSameFieldsChangeElsewhere_savesNothingAndStays() async throws {
    await bench.run("step 1 add Ring")
    let changes = changing {
      $0.steps = [Step("Ring", isDone: true)]
      $0.itemDescription = .set("card\nGate code 4711")
    }
    editor.script(during: changes) {
      $0.replacing("priority:\n", with: "priority: high\n").replacing("Ring\n", with: "Ring\n- [ ] Wait\n") + "typed\n"
    }
    bench.change { $0.answers = ["n"] }
    let run = await bench.run("edit 1")
    #expect(run.status == .conflict)
    #expect(
      run.error.hasPrefix(
        "Error: 1 has changed elsewhere since you opened the form (steps, note); nothing was saved\n"))
    let content = try await content()
    #expect(content.steps == [Step("Ring", isDone: true)])
    #expect(content.itemDescription == "card\nGate code 4711")
    #expect(content.priority == nil)
    try expectForm(containing: "- [ ] Wait\n", in: run)
    try expectForm(containing: "typed\n", in: run)
  }

  /// The form that is opened again has what changed elsewhere, and an editor that saves nothing overwrites nothing.
  @Test func form_whenRefused_isSavedOnlyAfterItIsEditedAgain() async throws {
    let changes = changing {
      $0.title = "Oat milk"
      $0.itemDescription = .set("Gate code 4711")
    }
    editor.script(during: changes) { $0 + "typed\n" }
    editor.script { $0 }
    editor.script { $0.replacing("# note: Gate code 4711\n", with: "") + "Gate code 4711\n" }
    bench.change { $0.answers = ["y", "y"] }
    let run = await bench.run("edit 1")
    #expect(run.status == .success)
    #expect(run.error.components(separatedBy: "has changed elsewhere").count == 3)
    #expect(try await content().title == "Oat milk")
    #expect(try await content().itemDescription == "card\ntyped\nGate code 4711")
    #expect(editor.commands.count == 3)
    #expect(forms == [])
  }

  @Test func form_whenTheSameChangeIsMadeElsewhere_isSaved() async throws {
    editor.script(during: changing { $0.title = "Tea" }) { $0.replacing("title: Milk", with: "title: Tea") }
    let run = await bench.run("edit 1 --color never")
    #expect(run == .init(status: .success, output: "Edited 1: Tea · Fri 1 May · at Post\n", error: ""))
    #expect(try await bench.service.item(TestBench.id(1)).revision == Revision(2))
  }

  @Test func form_whenEditorFails_staysIfTyped() async throws {
    let failure = Failure(code: .unknown, reason: "EDITOR_FAILED", message: "the editor 'vi' exited with status 1")
    editor.script(failure) { $0 }
    #expect(await bench.run("edit 1") == .init(status: .failure, output: "", error: failure.text + "\n"))
    #expect(forms == [])
    editor.script(failure) { $0 + "typed" }
    try expectForm(containing: "typed", in: await bench.run("edit 1"))
  }

  @Test func form_whenServiceIsAway_stays() async throws {
    var item = try await bench.service.item(TestBench.id(1))
    item.content.title = "Milk"
    let bench = TestBench(
      service: FailingService(
        error: .storeUnavailable(detail: "away"),
        listing: { [item] _ in ItemPage(items: [item], revision: Revision(1)) }))
    bench.change { [editor, path = directory.path] in
      $0.isInteractive = true
      $0.environment["XDG_STATE_HOME"] = path
      $0.editor = editor.open
    }
    editor.script { $0 + "typed" }
    let run = await bench.run("edit 1")
    #expect(run.status == .unreachable)
    #expect(!run.error.contains("again"))
    try expectForm(containing: "typed", in: run)
  }

  @Test func form_whenReplacedByPublicFile_isRead() async throws {
    editor.mode = 0o644
    editor.script { $0.replacing("title: Milk", with: "title: Tea") }
    #expect(await bench.run("edit 1").status == .success)
  }

  @Test(arguments: ["edit 1 --no-input", "edit 1 --yes", "edit 1"])
  func edit_whenItCannotPrompt_isUsageError(line: String) async {
    if line == "edit 1" { bench.change { $0.isInteractive = false } }
    let run = await bench.run(line)
    #expect(run.status == .usage)
    #expect(run.error.hasPrefix("Error: nothing to change; specify at least one option"))
    #expect(editor.commands == [])
  }

  /// Returns what changes the item elsewhere while the editor is open.
  private func changing(
    _ change: @escaping @Sendable (inout ItemEdit) -> Void
  ) -> @Sendable () async throws -> Void {
    return { [service = bench.service] in
      var edit = ItemEdit()
      change(&edit)
      _ = try await service.updateItem(TestBench.id(1), edit, ifRevision: nil)
    }
  }

  private func expectForm(containing text: String, in run: TestBench.Run) throws {
    let name = try #require(forms.first)
    let path = directory.file("todo/\(name)")
    #expect(forms.count == 1)
    #expect(run.error.contains("The form is stored in \(path).\n"))
    #expect(try PrivateFile.read(path, followsLinks: false)?.contains(text) == true)
  }
}

/// An editor that changes files as a test scripts it.
final class FakeEditor: Sendable {
  private struct Run {
    let failure: Failure?
    let change: (@Sendable () async throws -> Void)?
    let edit: @Sendable (String) -> String
  }

  private struct State {
    var runs: [Run] = []
    var commands: [String] = []
    var modes: [Int] = []
    var mode = 0o600
  }

  private let state = Mutex(State())

  /// The commands with which the editor was opened.
  var commands: [String] { state.withLock(\.commands) }
  /// The permissions of the files when they were opened.
  var modes: [Int] { state.withLock(\.modes) }
  /// The permissions of saved files.
  var mode: Int {
    get { state.withLock(\.mode) }
    set { state.withLock { $0.mode = newValue } }
  }

  /// Adds what the editor does when it is opened next, and what others do meanwhile.
  func script(
    _ failure: Failure? = nil, during change: (@Sendable () async throws -> Void)? = nil,
    _ edit: @escaping @Sendable (String) -> String
  ) {
    state.withLock { $0.runs.append(Run(failure: failure, change: change, edit: edit)) }
  }

  @Sendable func open(_ command: String, _ path: String) async throws {
    let permissions = try TemporaryDirectory.permissions(of: path) ?? 0
    let next = state.withLock { state in
      state.commands.append(command)
      state.modes.append(permissions)
      return state.runs.isEmpty ? nil : state.runs.removeFirst()
    }
    guard let next else { return }
    try await next.change?()
    let text = try PrivateFile.read(path, followsLinks: false) ?? ""
    try PrivateFile.write(next.edit(text), to: path)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    if let failure = next.failure { throw failure }
  }
}
