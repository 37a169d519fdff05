import Testing
import ToDoTestSupport

@testable import ToDoModel
@testable import ToDoRules

/// The binding of page tokens to the listing that they continue.
@Suite struct PageTokenTests {
  private let list = ListIncarnation.random()
  private let token = PageToken(position: ItemPosition(of: .sample(1), in: .list))

  /// Queries that differ in one argument or several.
  private var queries: [ItemQuery] {
    var queries: [ItemQuery] = []
    for state in ItemState.allCases {
      for deleted in DeletedItems.allCases {
        for order in ItemOrder.allCases {
          for text in ["", "only", "1"] {
            for numbers in [[], [1], [1, 2], [12]] as [[Int64]] {
              queries.append(
                ItemQuery(
                  state: state, text: text, numbers: numbers.map { ItemNumber($0) }, deleted: deleted, order: order))
            }
          }
        }
      }
    }
    return queries
  }

  @Test func encoded_forDifferentListings_isDifferent() {
    let texts = queries.map { token.encoded(for: $0, of: list) }
    #expect(Set(texts).count == texts.count)
  }

  @Test func init_fromTokenOfTheTrash_isRejectedForAnyOtherListing() throws {
    for trash in queries where trash.deleted == .only && trash.numbers.isEmpty {
      let text = token.encoded(for: trash, of: list)
      #expect(try PageToken(text, for: trash, of: list) == token)
      for deleted in [DeletedItems.excluded, .included] {
        var other = trash
        other.deleted = deleted
        #expect(throws: ToDoError.invalidPageToken) { try PageToken(text, for: other, of: list) }
      }
    }
  }

  @Test func init_fromTokenOfAnotherMethod_isRejected() throws {
    let text = token.encoded(for: ItemQuery(deleted: .only), of: list)
    #expect(throws: ToDoError.invalidPageToken) {
      try ChangePageToken(text, for: ChangeQuery(after: .initial), of: list)
    }
    let center = try #require(Coordinate(latitude: 59, longitude: 18))
    #expect(throws: ToDoError.invalidPageToken) {
      try NearbyPageToken(text, for: NearbyQuery(center: center), of: list)
    }
  }
}
