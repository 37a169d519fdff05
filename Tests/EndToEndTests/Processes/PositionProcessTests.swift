import Foundation
import Testing
import ToDoClient
import ToDoModel
import ToDoRules
import ToDoTestServers
import ToDoTestSupport

#if Nominatim
import NIOHTTP1
import ToDoTestHTTP
#endif

/// A server process that takes reports of positions.
@Suite(.timeLimited, .blocking) struct PositionProcessTests {
  @Test func arrival_isToldOnce_andLeavesNoPosition() async throws {
    try await withTemporaryDirectory { directory in
      let (store, log) = ("sqlite:\(directory)/items.sqlite", "\(directory)/log")
      #expect(try ProgramRun("todo-server", ["user", "add", "ann", "--store", store]).status == 0)
      let token = try ProgramRun("todo-server", ["token", "add", "ann", "--store", store]).output
      let server = try ServerProcess(
        ["serve", "--listen", "tcp://127.0.0.1:0", "--store", store, "--log-level", "trace"], logFile: log)
      var configuration = TestClient.configuration()
      configuration.token = token.trimmingCharacters(in: .whitespacesAndNewlines)
      let client = ToDoClient(endpoint: server.endpoints[0], configuration: configuration)
      #expect(try await client.info().capabilities.contains(.positions))
      let shop = try #require(Coordinate(latitude: 48.125, longitude: 11.625))
      let content = ItemContent(
        title: "Milk", location: Location(name: "Shop", coordinate: shop), reminders: [Reminder(.arriving)])
      let item = try await client.addItem(NewItem(id: ItemID(), content: content))
      // The first two differ from the place, so that the database's file can be searched for them.
      let (far, near) = (
        try #require(Coordinate(latitude: 47.21875, longitude: 10.34375)),
        try #require(Coordinate(latitude: 48.1252441, longitude: 11.6252441))
      )
      #expect(try await client.reportPosition(Position(far)) == [])
      let told = try await client.reportPosition(Position(near, accuracy: 20))
      #expect(told.map(\.item) == [item.id] && told.map(\.event) == [.arriving])
      #expect(try await client.reportPosition(Position(near, accuracy: 20)) == [])
      #expect(try await client.item(item.id).reminders.map { $0.acknowledged != nil } == [true])
      await #expect(throws: ToDoError.self) { try await client.reportPosition(Position(near, accuracy: -47.5)) }
      await client.close()
      #expect(server.terminate() == 0)
      try expectNothing(of: [far, near], in: directory)
    }
  }

  #if Nominatim
  @Test func arrival_isSentToTheTargetsOfItsUser() async throws {
    try await withTemporaryDirectory { directory in
      try await LocalHTTPServer.with { _, _ in
        .response()
      } _: { receiver async throws in
        let store = "sqlite:\(directory)/items.sqlite"
        let server = try ServerProcess(
          ["serve", "--listen", "tcp://127.0.0.1:0", "--store", store, "--notify", "--notify-private"],
          logFile: "\(directory)/log")
        var clients: [ToDoClient] = []
        for name in ["ann", "bob"] {
          #expect(try ProgramRun("todo-server", ["user", "add", name, "--store", store]).status == 0)
          var configuration = TestClient.configuration()
          configuration.token = try ProgramRun("todo-server", ["token", "add", name, "--store", store]).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
          let client = ToDoClient(endpoint: server.endpoints[0], configuration: configuration)
          _ = try await client.addNotificationTarget(.init(kind: .ntfy, url: "\(receiver.url)/\(name)"))
          clients.append(client)
        }
        let work = try await clients[0].createList(NewList(name: "Work"))
        _ = try await clients[0].shareList(work.id, with: "bob", as: .editor)
        _ = try await clients[1].acceptList(work.id)
        let shop = try #require(Coordinate(latitude: 48.125, longitude: 11.625))
        let content = ItemContent(
          title: "Keys", location: Location(name: "Shop", coordinate: shop), reminders: [Reminder(.arriving)])
        let item = try await clients[0].items(in: work.id).addItem(NewItem(id: ItemID(), content: content))
        #expect(try await clients[1].reportPosition(Position(shop)).map(\.list) == [work.id])
        while receiver.requests.isEmpty { await Task.yield() }
        #expect(receiver.requests.map(\.uri) == ["/bob"])
        #expect(receiver.requests.map { $0.headers["Title"] } == [["Keys"]])
        #expect(try await clients[0].items(in: work.id).item(item.id) == item)
        for client in clients { await client.close() }
        #expect(server.terminate() == 0)
        #expect(receiver.requests.count == 1)
      }
    }
  }
  #endif

  #if HTTP && Nominatim
  @Test func positionOfAPhone_isTaken_andSentOn() async throws {
    try await withTemporaryDirectory { directory in
      try await LocalHTTPServer.with { _, _ in
        .response()
      } _: { receiver async throws in
        let (store, log) = ("sqlite:\(directory)/items.sqlite", "\(directory)/log")
        #expect(try ProgramRun("todo-server", ["user", "add", "ann", "--store", store]).status == 0)
        let token = try ProgramRun("todo-server", ["token", "add", "ann", "--store", store]).output
          .trimmingCharacters(in: .whitespacesAndNewlines)
        let server = try ServerProcess(
          [
            "serve", "--listen", "tcp://127.0.0.1:0", "--http-listen", "127.0.0.1:0", "--store", store, "--notify",
            "--notify-private", "--log-level", "trace",
          ], logFile: log)
        let prefix = "listening on http+tcp://"
        let url = "http://" + (try #require(server.announced.first { $0.hasPrefix(prefix) })).dropFirst(prefix.count)
        var configuration = TestClient.configuration()
        configuration.token = token
        let client = ToDoClient(endpoint: server.endpoints[0], configuration: configuration)
        _ = try await client.addNotificationTarget(.init(kind: .ntfy, url: "\(receiver.url)/topic"))
        let shop = try #require(Coordinate(latitude: 48.125, longitude: 11.625))
        let content = ItemContent(
          title: "Milk", location: Location(name: "Shop", coordinate: shop), reminders: [Reminder(.arriving)])
        _ = try await client.addItem(NewItem(id: ItemID(), content: content))
        let near = try #require(Coordinate(latitude: 48.1252441, longitude: 11.6252441))
        let body = #"{"_type":"location","lat":\#(near.latitude),"lon":\#(near.longitude),"acc":20}"#
        let options = ["--header", "content-type: application/json", "--data-binary", "@-"]
        #expect(try CurlRun(options + ["--user", "phone:wrong", "\(url)/owntracks"], input: body).status == 401)
        let report = try CurlRun(options + ["--user", "phone:\(token)", "\(url)/owntracks"], input: body)
        #expect(report.status == 200 && report.body == "[]")
        while receiver.requests.isEmpty { await Task.yield() }
        #expect(receiver.requests.map { $0.headers["Title"] } == [["Milk"]])
        await client.close()
        #expect(server.terminate() == 0)
        try expectNothing(of: [near], in: directory)
        #expect(try !String(contentsOfFile: log, encoding: .utf8).contains(token))
      }
    }
  }
  #endif

  /// Expects that no file contains a coordinate: as text, or as the bytes of a number.
  private func expectNothing(of coordinates: [Coordinate], in directory: String) throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: directory)
    #expect(files.contains("log") && files.contains("items.sqlite"))
    let numbers = coordinates.flatMap { [$0.latitude, $0.longitude] }
    for file in files {
      let data = try Data(contentsOf: URL(fileURLWithPath: "\(directory)/\(file)"))
      for number in numbers + [-47.5] {
        #expect(data.range(of: Data("\(number)".utf8)) == nil, "\(file)")
        for bits in [number.bitPattern.littleEndian, number.bitPattern.bigEndian] {
          let bytes = withUnsafeBytes(of: bits) { Data($0) }
          #expect(data.range(of: bytes) == nil, "\(file)")
        }
      }
    }
  }
}
