import Testing
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoTestSupport

/// Every field of every response with every kind of invalid value.
@Suite struct HostileResponseTests {
  @Test(arguments: HostileItems.all + HostilePages.all + HostilePlaces.all + HostileChanges.all + HostileAnswers.all)
  func decode_whenFieldIsInvalid_throwsErrorWithFieldName(_ response: HostileResponse) {
    let thrown = #expect(throws: RPCError.self) { try response.decode() }
    // As a connection does: requests and responses share the validation of UTF-8.
    let error = thrown.map { RPCError.malformedResponse($0) }
    #expect(error?.code == .internal)
    #expect(error?.reason == "MALFORMED_RESPONSE")
    let prefix = "the server sent a malformed response: \(response.field) "
    #expect(error?.message.hasPrefix(prefix) == true, "\(error?.message ?? "")")
  }

  @Test func decode_whenAllFieldsAreValid_succeeds() throws {
    #expect(try ToDoMethods.getItem.response.decode(WireResponse.item().asItem).revision == Revision(5))
    let nearby = try ToDoMethods.listNearbyItems.response.decode(WireResponse.nearby.double(2, 20_015_114).asItem)
    #expect(nearby.items.map(\.distance) == [20_015_114])
    #expect(try ToDoMethods.geocodeAddress.response.decode(WireResponse.candidate.asItem).candidates.count == 1)
    #expect(try ToDoMethods.getServerInfo.response.decode(WireResponse.info).version == "1.0")
    let changes = ProtobufBytes().field(1, WireResponse.put).field(1, WireResponse.deletion).field(2, 5)
    #expect(try ToDoMethods.listChanges.response.decode(changes).changes.count == 2)
  }

  @Test func decode_whenEnumValueIsUnsupported_returnsDocumentedDefault() throws {
    let found = WireResponse.place.field(4, "gazetteer").field(5, 99)
    let item = try ToDoMethods.getItem.response.decode(WireResponse.item().location(found).asItem)
    #expect(item.location?.provenance == nil)
    let candidate = WireResponse.candidate.field(3, 99)
    let granularity = try ToDoMethods.geocodeAddress.response.decode(candidate.asItem).candidates.first?.granularity
    #expect(granularity == .region)
    let put = WireResponse.change.field(3, ProtobufBytes().field(1, WireResponse.item()).field(2, 99))
    guard case .put(_, let cause)? = try ToDoMethods.listChanges.response.decode(put.asItem).changes.first else {
      Issue.record("there is no change")
      return
    }
    #expect(cause == .edited)
    #expect(try HealthMethods.check.response.decode(ProtobufBytes().field(1, 99)) == .unknown)
  }
}
