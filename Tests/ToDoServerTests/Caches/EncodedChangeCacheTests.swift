import NIOCore
import Testing
import ToDoModel

@testable import ToDoServer

/// Tests of the cache of encoded change sets.
@Suite struct EncodedChangeCacheTests {
  private func set(_ revision: Int64, changes count: Int = 1) -> ChangeSet {
    ChangeSet(
      revision: Revision(revision),
      changes: (0..<count).map { index in
        .deleted(
          ItemDeletion(
            id: ItemID(high: 0, low: UInt64(index)), wasDone: false, revision: Revision(revision),
            deletedAt: Timestamp(microseconds: 0)))
      })
  }

  /// Whether the buffers share their memory.
  private func areShared(_ left: [ByteBuffer], _ right: [ByteBuffer]) -> Bool {
    zip(left, right).allSatisfy { left, right in
      left.withUnsafeReadableBytes(\.baseAddress) == right.withUnsafeReadableBytes(\.baseAddress)
    }
  }

  @Test func changeSet_isEncodedOnce() {
    let encoded = EncodedChangeCache()
    #expect(areShared(encoded.messages(of: set(1), .local, .all), encoded.messages(of: set(1), .local, .all)))
  }

  @Test func changeSets_ofOtherRevisionsFiltersAndOwners_areDistinct() {
    let encoded = EncodedChangeCache()
    let first = encoded.messages(of: set(1), .local, .all)
    #expect(encoded.messages(of: set(2), .local, .all) != first)
    #expect(!areShared(encoded.messages(of: set(1), .local, .toDo), first))
    #expect(!areShared(encoded.messages(of: set(1), OwnerID("anna"), .all), first))
  }

  @Test func messages_ofOwnersInDifferentParts_areSeparate() {
    // In one part, the sets of later owners evict those of earlier ones.
    let owners = (0..<64).map { OwnerID("owner \($0)") }
    for (partCount, areCached) in [(1, false), (1_024, true)] {
      let encoded = EncodedChangeCache(partCount: partCount, countLimit: 4)
      let first = owners.map { encoded.messages(of: set(1), $0, .all) }
      let again = owners.map { encoded.messages(of: set(1), $0, .all) }
      let cachedCount = zip(first, again).count { areShared($0, $1) }
      #expect((cachedCount == owners.count) == areCached)
    }
  }

  @Test func changeSets_beyondLimits_evictEarliest() {
    for encoded in [EncodedChangeCache(countLimit: 2), EncodedChangeCache(sizeLimit: 120)] {
      let first = encoded.messages(of: set(1), .local, .all)
      for revision in Int64(2)...3 { _ = encoded.messages(of: set(revision), .local, .all) }
      #expect(!areShared(encoded.messages(of: set(1), .local, .all), first))
      #expect(areShared(encoded.messages(of: set(3), .local, .all), encoded.messages(of: set(3), .local, .all)))
    }
  }

  @Test func changeSet_whenLargerThanFrame_isSeveralMessages() {
    #expect(EncodedChangeCache().messages(of: set(1, changes: 12_000), .local, .all).count == 2)
  }
}
