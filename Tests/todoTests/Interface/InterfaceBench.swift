import Testing
import ToDoModel
import ToDoTestSupport

@testable import todo

/// `todo ui` in a fake terminal, over a list in memory with the item "Milk".
struct InterfaceBench {
  let command = TestBench(geocoder: MockGeocoder())
  let probe: ScreenProbe
  /// Contains the state of the program.
  let directory: TemporaryDirectory

  init(columns: Int = 80) async throws {
    probe = ScreenProbe(rows: 20, columns: columns)
    directory = try TemporaryDirectory()
    await command.run("add Milk")
    probe.attach(to: command)
    let path = directory.path
    command.change { $0.environment["XDG_STATE_HOME"] = path }
  }

  func item(_ number: UInt64 = 1) async throws -> ToDoItem {
    try await command.service.item(TestBench.id(number))
  }
}

extension ScreenProbe {
  /// Opens the form from a list with the item "Milk", and types a text into it.
  ///
  /// - Parameter key: `A` for a new item, `e` for the selected one.
  func openForm(with key: String = "A", typing text: String, until shown: String? = nil) async {
    await waitForWindow(with: "Milk")
    type(key)
    await waitForWindow(with: "address")
    type(text)
    await waitForWindow(with: shown ?? text)
  }
}
