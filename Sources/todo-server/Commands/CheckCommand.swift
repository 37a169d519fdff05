import ArgumentParser
import ToDoModel
import ToDoStores
import ToDoSupport

/// `todo-server check`
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check the database. The server may be running.",
    discussion: """
      Checks the integrity of the file, and that revisions, positions, place codes, fingerprints and counts match the \
      items. Prints each kind of problem, and exits with 1 if there is any.
      """)

  @Flag(
    help: """
      Repair values that can be recomputed. Fails while a server or another program has the database open. The original \
      database is saved as items.sqlite.before-repair.
      """)
  var repair = false

  @OptionGroup var database: DatabaseOptions

  func run() async throws {
    let report = try await database.withDatabase { path in
      let check = DatabaseCheck(path: path)
      guard repair else { return try check.run() }
      let repair = try check.repair()
      if let copy = repair.copy {
        for problem in repair.before.problems where problem.isRepairable { show("Repaired \(problem)") }
        print("The original database is \(copy).")
      }
      return repair.after
    }
    print("Checked \(count(report.itemCount, "item")) in \(count(report.listCount, "list")).")
    for problem in report.problems { show("\(problem)") }
    if report.problems.isEmpty { return }
    let isRepairable = report.problems.contains(where: \.isRepairable)
    printError(
      isRepairable
        ? "Stop the server and run 'todo-server check --repair'." : "Restore a backup with 'todo-server restore FILE'.")
    throw ExitCode(.failure)
  }

  private func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  /// Prints a problem, which can contain a list's name and other texts from a damaged database.
  private func show(_ problem: String) { print(problem.escapingControls()) }
}
