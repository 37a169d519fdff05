import Testing
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoTestSupport

/// The messages about places.
@Suite struct PlacesTests {
  private static let queries = Samples.coordinates.flatMap { center in
    [nil, 1, 20_000_000, -1, Double.infinity].flatMap { radius in
      [nil, 1, -1, Int(Int32.max)].map {
        NearbyQuery(center: center, radius: radius, pageSize: $0, pageToken: $0.map { "\($0)" })
      }
    }
  }

  @Test(arguments: queries)
  func listNearbyItemsRequest_roundTrip_preservesValue(_ query: NearbyQuery) throws {
    #expect(try ToDoMethods.listNearbyItems.request.roundTrip(query) == query)
  }

  @Test func listNearbyItemsRequest_whenCenterIsInvalid_isRejected() {
    expectInvalidRequest(["center"]) { try ToDoMethods.listNearbyItems.request.decode([]) }
    let center = ProtobufBytes().double(1, 91).double(2, -181)
    expectInvalidRequest(["center.latitude", "center.longitude"]) {
      try ToDoMethods.listNearbyItems.request.decode(ProtobufBytes().field(1, center).bytes)
    }
  }

  @Test(arguments: [nil, "token"])
  func listNearbyItemsResponse_roundTrip_preservesValue(_ token: String?) throws {
    let items = Samples.items.enumerated().map { NearbyItem(item: $1, distance: Double($0) / 3) }
    let page = NearbyPage(items: items, nextPageToken: token)
    #expect(try ToDoMethods.listNearbyItems.response.roundTrip(page) == page)
  }

  @Test(arguments: Samples.texts + [""], [nil] + Samples.coordinates)
  func geocodeAddressRequest_roundTrip_preservesValue(_ address: String, _ bias: Coordinate?) throws {
    for limit in [1, 50, -1, Int(Int32.max)] {
      let query = GeocodeQuery(address: address, bias: bias, limit: limit)
      #expect(try ToDoMethods.geocodeAddress.request.roundTrip(query) == query)
    }
  }

  @Test func geocodeAddressRequest_whenBiasIsInvalid_isRejected() {
    let bias = ProtobufBytes().double(1, 91)
    expectInvalidRequest(["bias.latitude"]) {
      try ToDoMethods.geocodeAddress.request.decode(ProtobufBytes().field(1, "Paris").field(2, bias).bytes)
    }
  }

  @Test func geocodeAddressResponse_roundTrip_preservesValue() throws {
    let candidates = Location.Granularity.allCases.flatMap { granularity in
      Samples.coordinates.map {
        GeocodeCandidate(
          coordinate: $0, displayName: "Ürümqi", granularity: granularity, source: "gazetteer",
          isGuess: granularity == .region)
      }
    }
    for result in [
      GeocodeResult(candidates: candidates, attribution: "GeoNames"), GeocodeResult(candidates: [], attribution: ""),
    ] {
      #expect(try ToDoMethods.geocodeAddress.response.roundTrip(result) == result)
    }
  }

  @Test func geocodeAddressResponse_whenCoordinateIsMissing_isMalformed() {
    #expect(throws: RPCError.self) {
      try ToDoMethods.geocodeAddress.response.decode(
        ProtobufBytes().field(1, ProtobufBytes().field(2, "Nowhere")).bytes)
    }
  }
}
