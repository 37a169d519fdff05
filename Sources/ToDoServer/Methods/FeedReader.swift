import CToDoSodium
package import ToDoModel
import ToDoProtocol
package import ToDoRPC
import ToDoRules

/// Reads calendar feeds for programs that know nothing but a feed's address.
package struct FeedReader: Sendable {
  /// The items of a list, those that are due next first.
  package struct List: Sendable {
    fileprivate let id: ListID
    /// The list's name.
    package let name: String
    /// The items with a due date.
    package fileprivate(set) var items: [ToDoItem]
  }

  /// The content of a feed.
  package enum Content: Sendable {
    /// The content is the one with the tag that the reader knows.
    case unchanged(tag: String)
    /// The text, and the tag of this content.
    case text([UInt8], tag: String)
  }

  /// The maximum number of items in a feed. Done items are left out before others.
  package static let itemLimit = 5_000
  /// The size of the items' text, in bytes, from which further items are left out.
  package static let sizeLimit = 4 << 20

  private let access: AccountAccess
  /// The feeds of a user are made one at a time, so that many programs cost the user's share and not that of others.
  private let turns = OwnerTurns(concurrency: 1, waitingLimit: 8)

  /// Creates a value.
  package init(_ access: AccountAccess) { self.access = access }

  /// Returns the content of the feed with a token.
  ///
  /// - Parameters:
  ///   - token: the token in the feed's address. A wrong one counts as a failed attempt of the caller's address.
  ///   - knows: whether the reader has the content with a tag.
  ///   - text: makes the text of lists; `isOfOne` says whether the feed is that of one list.
  /// - Throws: `RPCError`: `unauthenticated` if there is no such feed, also because it was revoked; `resourceExhausted`;
  ///   `unavailable`.
  package func content(
    _ token: String, for call: CallContext, knows: @Sendable (_ tag: String) -> Bool,
    text: @Sendable (_ lists: [List], _ isOfOne: Bool) async throws -> [UInt8]
  ) async throws -> Content {
    try await mappingErrors {
      let (grant, list) = try await access.feedGrant(token, for: call)
      return try await turns.run(for: grant.account) {
        let sources = try await sources(list, grant)
        let tag = try await tag(of: sources)
        guard !knows(tag) else { return .unchanged(tag: tag) }
        let lists = try await lists(sources)
        // What was read may include changes that followed the end of the user's access.
        let available = Set(try await self.sources(list, grant).map(\.id))
        return .text(try await text(lists.filter { available.contains($0.id) }, list != nil), tag: tag)
      }
    }
  }

  private struct Source {
    let id: ListID
    let name: String
    let items: any ToDoService
  }

  /// Returns the lists of a feed that its user can read now.
  private func sources(_ list: ListID?, _ grant: AccessGrant) async throws -> [Source] {
    guard let userLists = access.userLists else {
      return [Source(id: .default, name: UserList.inbox.name, items: grant.list)]
    }
    let all = try await userLists.lists(of: grant.account, user: grant.user).lists(includingDeleted: false).lists
    var sources: [Source] = []
    for found in all where list.map({ $0 == found.id }) ?? true {
      do {
        let items =
          found.id.isDefault ? grant.list : try await userLists.lookUpItems(in: found.id, of: grant.account).value
        sources.append(Source(id: found.id, name: found.name, items: items))
      } catch ToDoError.listNotFound {
        // A list can be deleted, or no longer be shared, at any time.
      }
    }
    // A feed of a list that no longer exists is like one that was revoked.
    guard list == nil || !sources.isEmpty else { throw ToDoError.unauthenticated }
    return sources
  }

  /// Returns a text that differs when the content does: the names and revisions of the lists, hashed.
  private func tag(of sources: [Source]) async throws -> String {
    var text = ServiceInfo.currentVersion
    for source in sources {
      let revision = try await source.items.items(ItemQuery(pageSize: 1)).revision
      text += "\n\(source.name)\n\(revision.incarnation?.number ?? 0) \(revision.number)"
    }
    let input = Array(text.utf8)
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256(&hash, input, UInt64(input.count))
    return hash.prefix(16).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  private func lists(_ sources: [Source]) async throws -> [List] {
    var lists = sources.map { List(id: $0.id, name: $0.name, items: []) }
    var (room, size) = (Self.itemLimit, 0)
    for state in [ItemState.toDo, .done] {
      for (index, source) in sources.enumerated() {
        let dated = ItemFilter(due: .within(DueRange()))
        var query = ItemQuery(state: state, filter: dated, pageSize: min(room, ItemQuery.Limits.pageSize))
        while room > 0, size < Self.sizeLimit {
          let page = try await source.items.items(query)
          lists[index].items += page.items.prefix(room)
          room -= min(room, page.items.count)
          size += page.items.reduce(0) { $0 + $1.content.textSize }
          guard let next = page.nextPageToken else { break }
          (query.pageToken, query.pageSize) = (next, max(1, min(room, ItemQuery.Limits.pageSize)))
        }
      }
    }
    return lists
  }
}
