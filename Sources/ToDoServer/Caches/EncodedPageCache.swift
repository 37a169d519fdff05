import NIOCore
import Protobuf
import Synchronization
import ToDoModel
import ToDoProtocol
import ToDoRules

/// Pages of listings that were asked for lately, encoded, to be told again as long as their lists have not changed.
final class EncodedPageCache: Sendable {
  private struct Key: Hashable {
    let owner: OwnerID
    let query: ItemQuery
  }

  private struct Page {
    let revision: Revision
    let message: ByteBuffer
  }

  private let pages: Mutex<GenerationalCache<Key, Page>>

  /// - Parameter size: about how many bytes the pages take at most; 0: keeps none.
  init(size: Int) {
    pages = Mutex(GenerationalCache(costLimit: size))
  }

  /// The page as it is at a revision of the list, if it is here.
  func message(for query: ItemQuery, of owner: OwnerID, at revision: Revision) -> ByteBuffer? {
    guard let page = pages.withLock({ $0[Key(owner: owner, query: query)] }), page.revision == revision else {
      return nil
    }
    return page.message
  }

  /// Encodes a page, and keeps it.
  func encode(_ page: ItemPage, for query: ItemQuery, of owner: OwnerID) -> ByteBuffer {
    let arena = Arena()
    defer { arena.release() }
    var message = ByteBuffer()
    message.writeMessage(ToDoMethods.listItems.response.encode(page, arena))
    let cost = message.readableBytes + query.text.utf8.count + (query.pageToken?.utf8.count ?? 0) + 256
    let kept = Page(revision: page.revision, message: message)
    pages.withLock { $0.insert(kept, for: Key(owner: owner, query: query), cost: cost) }
    return message
  }
}
