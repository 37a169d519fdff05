import ToDoClient

/// Opens watches and drops them, and shows what the server holds meanwhile.
enum Churn {
  /// How many are open at a time.
  private static let width = 50

  static func run(_ count: Int, _ server: BenchmarkServer) async throws {
    let client = ToDoClient(endpoint: server.endpoint)
    var opened = 0
    for step in 0...10 {
      while opened < count * step / 10 {
        try await openAndDrop(client)
        opened += width
      }
      print("\(opened) opened and dropped: \(server.residentBytes / 1024) KiB, \(server.descriptorCount) descriptors")
    }
    await client.close()
  }

  private static func openAndDrop(_ client: ToDoClient) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<width {
        group.addTask {
          var watch = client.watch(from: number.isMultiple(of: 2) ? .now : .snapshot, state: .all).makeAsyncIterator()
          _ = try await watch.next()
        }
      }
      try await group.waitForAll()
    }
  }
}
