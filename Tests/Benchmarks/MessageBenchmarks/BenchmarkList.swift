import Dispatch
import FoundationEssentials
import ToDoModel
import ToDoRules
import ToDoStores

/// A list in a database of its own, in a temporary directory that is removed with the list.
final class BenchmarkList {
  private let directory: URL
  private let service: LocalToDoService
  private var lastNumber: UInt64 = 0

  init() {
    directory = FileManager.default.temporaryDirectory.appending(path: "todo-benchmark-\(UUID())")
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
      let store = try SQLiteToDoItemStore(path: directory.appending(path: "items.sqlite").path)
      service = LocalToDoService(store: store, itemLimit: .max)
    } catch { preconditionFailure("the database cannot be created: \(error)") }
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  /// Adds items one after the other, each in a commit of its own.
  func addItems(_ count: Int) {
    let numbers = lastNumber + 1...lastNumber + UInt64(count)
    lastNumber = numbers.upperBound
    let done = DispatchSemaphore(value: 0)
    Task { [service] in
      do {
        for number in numbers {
          let id = ItemID(high: 0x0198_C0DE_0000_7000 + number << 16, low: 0x8000_0000_0000_0000)
          var content = SampleItem.item.content
          content.title = "Buy \(number) litres of oat milk"
          _ = try await service.addItem(
            NewItem(id: id, content: content), options: SaveOptions(savesWithoutCoordinate: true))
        }
      } catch { preconditionFailure("an item was not added: \(error)") }
      done.signal()
    }
    done.wait()
  }
}
