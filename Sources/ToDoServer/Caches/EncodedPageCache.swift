import NIOCore
import Synchronization
import ToDoModel
import ToDoProtobuf
import ToDoProtocol
import ToDoRules

/// A cache of encoded listing pages. A page is valid while its list has the page's revision.
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
  private let observer: (any CacheObserver)?

  /// - Parameters:
  ///   - size: the approximate maximum size of the pages in bytes; 0 disables the cache.
  ///   - observer: receives the lookups; `nil` for no metrics.
  init(size: Int, observer: (any CacheObserver)? = nil) {
    self.observer = observer
    pages = Mutex(GenerationalCache(costLimit: size))
  }

  /// Returns the encoded page at a revision of the list, or `nil` if it is not cached.
  ///
  /// - Parameter revision: the current revision; `nil` if it is unknown, so that no page is known to be valid.
  func message(for query: ItemQuery, of owner: OwnerID, at revision: Revision?) -> ByteBuffer? {
    let message = cachedMessage(for: query, of: owner, at: revision)
    observer?.didLookUp(isHit: message != nil)
    return message
  }

  private func cachedMessage(for query: ItemQuery, of owner: OwnerID, at revision: Revision?) -> ByteBuffer? {
    guard let revision, let page = pages.withLock({ $0[Key(owner: owner, query: query)] }), page.revision == revision
    else {
      return nil
    }
    return page.message
  }

  /// Encodes a page, and caches it.
  func encode(_ page: ItemPage, for query: ItemQuery, of owner: OwnerID) -> ByteBuffer {
    let message = ToDoMethods.listItems.encoded(page)
    let encoded = Page(revision: page.revision, message: message)
    let cost = message.readableBytes + query.size + 256
    pages.withLock { $0.insert(encoded, for: Key(owner: owner, query: query), cost: cost) }
    return message
  }
}

extension ItemQuery {
  /// The approximate size of the parts whose size varies, in bytes.
  fileprivate var size: Int {
    text.utf8.count + (pageToken?.utf8.count ?? 0) + 8 * numbers.count + filter.size
  }
}
