import Testing
import ToDoModel

extension ServiceContract {
  static var nearby: [Rule] {
    [
      Rule("a listing near a place orders incomplete items by distance") { subject async throws in
        let far = try await subject.add("Far", at: 48.2, 11.6)
        let near = try await subject.add("Near", at: 48.138, 11.576)
        let done = try await subject.add("Done", at: 48.137, 11.575)
        _ = try await subject.service.checkItem(done.id, ifRevision: nil)
        try await subject.add("Nowhere")
        let page = try await subject.nearby(48.137, 11.575)
        #expect(page.items.map(\.item) == [near, far])
        #expect(page.items.map { ($0.distance / 100).rounded() } == [1, 72])
        #expect(page.nextPageToken == nil)
      },
      Rule("a listing near a place contains only items within the radius") { subject async throws in
        let near = try await subject.add("Near", at: 48.138, 11.576)
        try await subject.add("Far", at: 48.2, 11.6)
        #expect(try await subject.nearby(48.137, 11.575, radius: 1_000).items.map(\.item) == [near])
        #expect(try await subject.nearby(48.137, 11.575, radius: 1).items.isEmpty)
      },
      Rule("distances are correct across the antimeridian and the poles") { subject async throws in
        let fiji = try await subject.add("Fiji", at: -17, 179.9)
        let pole = try await subject.add("Pole", at: 89.95, 10)
        #expect(try await subject.nearby(-17, -179.9, radius: 25_000).items.map(\.item) == [fiji])
        #expect(try await subject.nearby(89.95, -170, radius: 12_000).items.map(\.item) == [pole])
      },
      Rule("pages near a place are consecutive, without repeated items") { subject async throws in
        var ids: Set<ItemID> = []
        for number in 0..<25 {
          // Five items at each of five places.
          ids.insert(try await subject.add("Item \(number)", at: 48 + Double(number % 5) / 100, 11).id)
        }
        var found: [NearbyItem] = []
        var query = NearbyQuery(center: try #require(Coordinate(latitude: 48, longitude: 11)), pageSize: 7)
        repeat {
          let page = try await subject.service.nearbyItems(query)
          #expect(page.items.count == 7 || page.nextPageToken == nil)
          found += page.items
          query.pageToken = page.nextPageToken
        } while query.pageToken != nil
        #expect(found.count == 25 && Set(found.map(\.item.id)) == ids)
        #expect(found.map(\.distance) == found.map(\.distance).sorted())
      },
      Rule("an item is found at its current coordinate and not after its deletion") { subject async throws in
        let item = try await subject.add("Moving", at: 10, 10)
        var edit = ItemEdit()
        edit.location = .edit(coordinate: .set(try #require(Coordinate(latitude: 20, longitude: 20))))
        let moved = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect(try await subject.nearby(10, 10, radius: 1_000).items.isEmpty)
        #expect(try await subject.nearby(20, 20, radius: 1_000).items.map(\.item) == [moved])
        _ = try await subject.service.checkItem(item.id, ifRevision: nil)
        #expect(try await subject.nearby(20, 20).items.isEmpty)
        let unchecked = try await subject.service.uncheckItem(item.id, ifRevision: nil)
        #expect(try await subject.nearby(20, 20).items.map(\.item) == [unchecked])
        _ = try await subject.service.deleteItem(item.id, ifRevision: nil)
        #expect(try await subject.nearby(20, 20).items.isEmpty)
        try await subject.add("Other", at: 30, 30)
        _ = try await subject.service.deleteItems(.all)
        #expect(try await subject.nearby(30, 30).items.isEmpty)
      },
      Rule("an invalid query near a place is rejected") { subject async throws in
        for radius in [0, -1, Double.nan, .infinity] {
          await expectViolations(of: ["radius_meters"]) { try await subject.nearby(0, 0, radius: radius) }
        }
        for size in [0, -1] {
          await expectViolations(of: ["page_size"]) { try await subject.nearby(0, 0, pageSize: size) }
        }
        await #expect(throws: ToDoError.invalidPageToken) { try await subject.nearby(0, 0, pageToken: "nonsense") }
      },
      Rule("a page token belongs to its place and radius") { subject async throws in
        for number in 0..<3 { try await subject.add("Item \(number)", at: 1, 1) }
        let token = try #require(try await subject.nearby(0, 0, pageSize: 1).nextPageToken)
        await #expect(throws: ToDoError.invalidPageToken) { try await subject.nearby(0, 1, pageToken: token) }
        await #expect(throws: ToDoError.invalidPageToken) {
          try await subject.nearby(0, 0, radius: 1_000, pageToken: token)
        }
        #expect(try await subject.nearby(0, 0, pageToken: token).items.count == 2)
      },
    ]
  }
}

extension ServiceContract.Subject {
  @discardableResult
  fileprivate func add(_ title: String, at latitude: Double, _ longitude: Double) async throws -> ToDoItem {
    let location = Location(coordinate: Coordinate(latitude: latitude, longitude: longitude))
    return try await add(ItemContent(title: title, location: location))
  }

  fileprivate func nearby(
    _ latitude: Double, _ longitude: Double, radius: Double? = nil, pageSize: Int? = nil, pageToken: String? = nil
  ) async throws -> NearbyPage {
    let center = try #require(Coordinate(latitude: latitude, longitude: longitude))
    return try await service.nearbyItems(
      NearbyQuery(center: center, radius: radius, pageSize: pageSize, pageToken: pageToken))
  }
}
