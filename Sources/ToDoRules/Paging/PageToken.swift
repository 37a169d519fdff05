package import ToDoModel

/// A position in a listing, where the next page starts.
package struct PageToken: Equatable {
  let position: ItemPosition

  /// Bytes: version, section, primary, secondary, ID (two halves).
  private static let length = 1 + 1 + 8 + 8 + 16
  private static let version: UInt8 = 1

  /// Creates a token for the page after a position.
  package init(position: ItemPosition) {
    self.position = position
  }

  /// Returns the token's text, bound to a query and an incarnation.
  package func encoded(for query: ItemQuery, of incarnation: ListIncarnation) -> String {
    var bytes: [UInt8] = [Self.version, position.section]
    bytes.append(UInt64(bitPattern: position.primary))
    bytes.append(UInt64(bitPattern: position.secondary))
    bytes.append(position.tieBreak.high)
    bytes.append(position.tieBreak.low)
    return PageTokenText.encode(bytes, of: incarnation) { $0.combine(query) }
  }

  /// Decodes a token's text.
  ///
  /// - Throws: `ToDoError.invalidPageToken` if `encoded(for:of:)` did not create the text for the same query;
  ///   `ToDoError.listReplaced` if the token names another incarnation of the list.
  package init(_ text: String, for query: ItemQuery, of incarnation: ListIncarnation) throws {
    let bytes = try PageTokenText.decode(text, length: Self.length, of: incarnation) { $0.combine(query) }
    guard bytes[0] == Self.version else { throw ToDoError.invalidPageToken }
    position = ItemPosition(
      section: bytes[1],
      primary: Int64(bitPattern: bytes.integer(at: 2)),
      secondary: Int64(bitPattern: bytes.integer(at: 10)),
      tieBreak: ItemID(high: bytes.integer(at: 18), low: bytes.integer(at: 26)))
  }
}

extension FNV1a {
  fileprivate mutating func combine(_ query: ItemQuery) {
    combine(query.state.rawValue)
    combine(query.order.rawValue)
    combine(query.text)
    if !query.filter.isEmpty { combine(query.filter.description) }
    if query.deleted != .excluded { combine(query.deleted.rawValue) }
    for number in query.numbers { combine(String(number.value)) }
  }
}

extension ItemFilter {
  /// A text that differs for different filters.
  fileprivate var description: String {
    guard isCombined else { return simpleDescription }
    // Texts may contain every character, so their sizes tell where they end.
    // The description of a filter has a semicolon.
    let excluded = exclusions.isEmpty ? [] : ["none of"] + exclusions.map(\.description)
    let parts = [simpleDescription, text, excludedText] + alternatives.map(\.description) + excluded
    return parts.map { "\($0.utf8.count):\($0)" }.joined()
  }

  private var simpleDescription: String {
    let due =
      switch due {
      case nil: ""
      case .unset: "unset"
      case .within(let range):
        [range.start?.description, range.end?.description, range.startDate?.description, range.endDate?.description]
          .map { $0 ?? "" }.joined(separator: ",")
      }
    guard !tags.isEmpty || !priorities.isEmpty || wait != nil else { return "\(due);\(place)" }
    let wanted = [tags.all, tags.any, tags.none].map { $0.joined(separator: " ") }
    let levels = priorities.map { String($0?.level ?? 0) }.sorted().joined()
    let waiting = wait.map { "\($0.time.microseconds),\($0.isWaiting)" } ?? ""
    return "\(due);\(wanted.joined(separator: ";"));\(levels);\(waiting);\(place)"
  }
}
