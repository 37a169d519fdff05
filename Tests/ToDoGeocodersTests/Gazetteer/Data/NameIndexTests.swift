import Testing

@testable import ToDoGeocoders

@Suite struct NameIndexTests {
  private func names(_ name: String, _ body: (NameIndex.Match, [NameIndex.Posting]) throws -> Void) throws {
    try GazetteerSource.embedded.withFile { file in
      let index = NameIndex(file)
      let match = index.find(Array(name.utf8)[...])
      try body(match, match.postingsOffset.map(index.postings) ?? [])
    }
  }

  @Test func find_whenNameExists_returnsOrderedPostings() throws {
    try names("paris") { _, postings in
      #expect(postings.count > 5)
      #expect(postings.map(\.record) == postings.map(\.record).sorted())
    }
  }

  @Test(arguments: ["", " ", "pari s", "zzzzzz", "qwertzuiop", "paris ", "\u{10FFFF}"])
  func find_whenNameDoesNotExist_returnsNoPostings(name: String) throws {
    try names(name) { match, _ in #expect(match.postingsOffset == nil) }
  }

  @Test(arguments: [("new", true), ("new york", true), ("san", true), ("qwertzuiop", false), ("new yor", false)])
  func find_returnsWhetherLongerNamesExist(name: String, hasLongerNames: Bool) throws {
    try names(name) { match, _ in #expect(match.hasLongerNames == hasLongerNames) }
  }

  /// Reads the blocks sequentially, without a search, and looks up every name.
  @Test func find_whenNameIsInData_returnsItsPostings() throws {
    try GazetteerSource.embedded.withFile { file in
      let index = NameIndex(file)
      for block in stride(from: 0, to: file.blocks.count / 4, by: 101) {
        var (offset, name) = (file.blocks.integer(at: block * 4), [UInt8]())
        for _ in 0..<NameIndex.blockSize where offset < file.names.count {
          let (shared, count) = (Int(file.names.byte(at: offset)), Int(file.names.byte(at: offset + 1)))
          name = Array(name.prefix(shared)) + file.names.bytes(at: offset + 2, count: count)
          offset += 2 + count
          let size = file.names.variableLengthInteger(at: &offset)
          #expect(index.find(name[...]).postingsOffset == offset, "\(String(decoding: name, as: UTF8.self))")
          offset += size
        }
      }
    }
  }
}
