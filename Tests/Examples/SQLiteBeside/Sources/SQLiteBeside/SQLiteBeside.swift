import SQLite
import SQLiteNIO
import ToDoServer
import ToDoStores

/// Uses three SQLite libraries in one program.
@main
struct SQLiteBeside {
  static func main() async throws {
    let service = LocalToDoService(store: try SQLiteToDoItemStore(path: CommandLine.arguments[1]))
    let item = try await service.addItem(NewItem(id: ItemID(), content: ItemContent(title: "Milk")))
    print("\(item.title), \(SQLite.name), \(SQLiteNIO.name)")
  }
}
