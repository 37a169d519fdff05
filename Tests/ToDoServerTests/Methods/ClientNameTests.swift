import Testing
import ToDoModel
import ToDoRPC

@testable import ToDoServer

/// The client of a call, as it is recorded in the history.
@Suite struct ClientNameTests {
  private static func call(_ client: String) -> CallContext {
    var metadata = Metadata()
    metadata.append("user-agent", client)
    return CallContext(metadata: metadata, connection: CallConnection(peer: Peer()))
  }

  @Test func clientName_hasNoControlCharacter() {
    let controls = (0..<0x20).map(UInt32.init) + (0x7F...0x9F)
    for scalar in controls.compactMap(Unicode.Scalar.init) {
      #expect(Self.call("x\(Character(scalar))y").clientName == "xy")
    }
    #expect(Self.call("x \u{A0}~y").clientName == "x \u{A0}~y")
  }

  @Test func clientName_whenLong_hasWholeCharactersUpToLimit() {
    #expect(Self.call(String(repeating: "ä", count: 100)).clientName == String(repeating: "ä", count: 32))
    // A flag is two scalars of four bytes each.
    #expect(Self.call("x" + String(repeating: "🇩🇪", count: 20)).clientName == "x" + String(repeating: "🇩🇪", count: 7))
    #expect(ChangeOrigin.clientLimit == 64)
  }
}
