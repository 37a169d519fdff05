import Foundation
import Testing
import ToDoGeocoders
import ToDoSupport
import ToDoTestSupport

@testable import ToDoScreens
@testable import todo

/// Compares the description of `todo ui` in Sources/todo/README.md with the program: the recorded session and the table of
/// keys.
@Suite(.unitTimeLimited) struct RecordedSessionTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// The keys of the README, and the window after them.
  private struct Step {
    /// The names of keys, and typed texts.
    var keys: [String]
    var window = ""
  }

  /// The bytes of the keys that have names.
  private static let bytes = [
    "Tab": "\t", "Enter": "\r", "Esc": "\u{1B}", "Space": " ", "Home": "\u{1B}[H", "PageDown": "\u{1B}[6~",
    "Ctrl-S": "\u{13}",
  ]
  /// The texts that the window contains when the effect of a key has ended. The effects of other keys are immediate, or the
  /// last of a step.
  private static let responses = ["Ctrl-S": "> *3", "Esc": "3 of 3", "u": "undone: "]
  /// The texts that the window contains after each step, when all effects have ended.
  private static let endings = [
    ["1 of 2"], ["→ Visit"], ["↓ choose"], ["lines 12-"], ["checked '", "Done (1)"], ["1 item "],
  ]

  @Test func session_whenReplayed_matchesREADME() async throws {
    let steps = try Self.steps()
    try #require(steps.count == Self.endings.count)
    let bench = try await makeBench()
    let probe = ScreenProbe(rows: 13, columns: 68)
    probe.attach(to: bench)
    // The first step starts the program.
    let command = try #require(steps.first?.keys.first)
    async let run = bench.run(String(command.dropFirst("todo ".count)))
    for (index, step) in steps.enumerated() {
      for key in step.keys where index > 0 {
        probe.type(Self.bytes[key] ?? key)
        if let response = Self.responses[key] { await probe.waitForWindow(with: response) }
      }
      let endings = Self.endings[index]
      let window = await probe.waitForWindow { window in endings.allSatisfy { window.contains($0) } }
      #expect(window == step.window, "step \(index + 1): \(step.keys)")
    }
    probe.type("qq")
    #expect(await run.status == .success)
  }

  @Test func keys_inREADME_areThoseOfKeyTable() throws {
    #expect(try Self.section("keys") == KeyTable.markdown)
  }

  /// Returns a list with the items of the first frame.
  private func makeBench() async throws -> TestBench {
    let bench = TestBench(geocoder: try GazetteerGeocoder())
    await bench.run("add Return the books --due yesterday")
    await bench.run("add Buy oat milk tomorrow 17:00 @Corner shop")
    let path = directory.path
    bench.change {
      $0.environment["XDG_STATE_HOME"] = path
      $0.placeLabels = GazetteerLabels()
      // The search for an address begins immediately. The highlights of changed items remain.
      $0.immediateSleep = AddressSearch.pause
    }
    return bench
  }

  /// Returns the steps of the README. A line that begins with code is that of the keys, and a fenced block is the window.
  private static func steps() throws -> [Step] {
    var steps: [Step] = []
    var fence: [Substring]?
    for line in try section("frames").split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let lines = fence, !steps.isEmpty { steps[steps.count - 1].window = lines.joined(separator: "\n") }
        fence = fence == nil ? [] : nil
      } else if fence != nil {
        fence?.append(line)
      } else if line.hasPrefix("`") {
        let parts = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        steps.append(Step(keys: parts.filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }))
      }
    }
    return steps
  }

  /// Returns the text between the comment that names a section and the comment that ends it.
  private static func section(_ name: String) throws -> String {
    let readme = try String(
      contentsOf: URL(filePath: #filePath).appending(path: "../../../../Sources/todo/README.md").standardized,
      encoding: .utf8)
    let mark = try #require(readme.range(of: "<!-- \(name): "))
    let start = try #require(readme.range(of: "-->\n", range: mark.upperBound..<readme.endIndex))
    let end = try #require(readme.range(of: "<!-- end of \(name) -->", range: start.upperBound..<readme.endIndex))
    return String(readme[start.upperBound..<end.lowerBound])
  }
}
