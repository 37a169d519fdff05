import Testing

@testable import ToDoModel
@testable import ToDoRules

@Suite struct NearbyPageTokenTests {
  private let list = ListIncarnation.random()
  private let query: NearbyQuery

  init() throws {
    query = NearbyQuery(center: try #require(Coordinate(latitude: 59, longitude: 18)))
  }

  @Test func init_fromEncodedToken_restoresPosition() throws {
    let token = NearbyPageToken(position: NearbyPosition(distance: 12.5, id: ItemID(high: 1, low: 2)))
    #expect(try NearbyPageToken(token.encoded(for: query, of: list), for: query, of: list) == token)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -1])
  func init_whenDistanceIsInvalid_throwsInvalidPageToken(distance: Double) {
    let token = NearbyPageToken(position: NearbyPosition(distance: distance, id: ItemID(high: 1, low: 2)))
    #expect(throws: ToDoError.invalidPageToken) {
      try NearbyPageToken(token.encoded(for: query, of: list), for: query, of: list)
    }
  }
}
