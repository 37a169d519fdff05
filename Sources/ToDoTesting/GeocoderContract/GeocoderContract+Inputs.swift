import Testing
import ToDoModel
import ToDoRules

extension GeocoderContract {
  /// Texts that users, programs and attackers send, none longer than the limit of addresses.
  private static let oddAddresses: [String] = [
    "", " ", " \n\t", "\u{0}", "Mün\u{0}chen", "\u{7F}\u{1B}[31m", "\u{FEFF}", "\u{FFFD}", "\u{10FFFF}",
    "👨‍👩‍👧‍👦🏳️‍🌈", "القاهرة", "\u{202E}נירב\u{202C}", "東京都千代田区", "e\u{301}\u{301}\u{301}\u{301}", "İstanbul", "ﬃ",
    ",", ",,,, ,", "%", "%00%zz", "a&format=xml&limit=1#", "\"}]", "'; DROP TABLE items; --", "../../etc/passwd",
    "x\r\nHost: example.org\r\n\r\n", "1", "-0", "1e999", "48.1,11.5", String(repeating: "a", count: 1024),
    String(repeating: "a ", count: 512), String(repeating: "é", count: 512), String(repeating: "\u{1F355}", count: 256),
    String(repeating: ",", count: 1024), "a" + String(repeating: "\u{301}", count: 511),
  ]

  static var inputRules: [Rule] {
    [
      Rule("any address has candidates within the limit, or throws a GeocoderError") {
        subject async throws in
        for address in oddAddresses {
          do {
            #expect(try await subject.candidates(for: address, limit: 3).count <= 3, "\(address.debugDescription)")
          } catch is GeocoderError {}
        }
      },
      Rule("leading and trailing white space of an address is ignored") { subject async throws in
        let plain = try await subject.candidates(for: subject.knownAddress)
        #expect(
          try await subject.candidates(for: " \(subject.knownAddress)\n").map(\.coordinate) == plain.map(\.coordinate))
      },
    ]
  }
}
