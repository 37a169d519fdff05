import ToDoClient

/// Adds an item to the list on a server, prints the list, and waits for one change.
///
///     swift run FirstSteps tcp://localhost:8636
@main
struct FirstSteps {
  static func main() async throws {
    guard CommandLine.arguments.count == 2, let endpoint = Endpoint(CommandLine.arguments[1]) else {
      throw UsageError()
    }
    let client = ToDoClient(endpoint: endpoint)
    do {
      try await run(client)
    } catch let error as RPCError where error.code == .unavailable {
      print("The server cannot be reached: \(error.message)")
    }
    await client.close()
  }

  private static func run(_ client: ToDoClient) async throws {
    let new = NewItem(id: ItemID(time: SystemWallClock().now()), content: ItemContent(title: "Buy oat milk"))
    let item = try await client.addItem(new)
    print("Added: \(item.title)")

    for item in try await client.items(ItemQuery(state: .toDo)).items { print("To do: \(item.title)") }

    var events = client.watch(from: .after(item.revision), state: .all).makeAsyncIterator()
    // The first event reports that the watch has caught up with the list.
    guard case .progress? = try await events.next() else { return }
    _ = try await client.checkItem(item.id, ifRevision: item.revision)
    while let event = try await events.next() {
      guard case .changes(let set) = event else { continue }
      for case .put(let item, let cause) in set.changes { print("Changed: \(item.title) was \(cause)") }
      return
    }
  }
}

/// The program was started without the address of a server.
struct UsageError: Error, CustomStringConvertible {
  var description: String { "usage: FirstSteps ADDRESS, for example tcp://localhost:8636" }
}
