import Foundation
import Testing
import ToDoModel
import ToDoTestSupport

@testable import ToDoGeocoders

@Suite(.timeLimited) struct CacheStorageTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("geocodes")
  }

  private func limits(entries: Int = 10_000, bytes: Int = 4 << 20) -> GeocodeCacheLimits {
    var limits = GeocodeCacheLimits()
    limits.entries = entries
    limits.bytes = bytes
    return limits
  }

  private func key(_ number: Int) -> GeocodeCacheKey {
    GeocodeCacheKey(GeocodeQuery(address: "Address \(number)"), scope: "test")
  }

  private func cachedResult(_ number: Int = 1) -> CachedResult {
    var candidate = GeocodeCandidate.alte
    candidate.displayName = "東京 \(number)"
    candidate.attribution = "©"
    return CachedResult(candidates: [candidate, .alte], limit: 5, time: Timestamp(microseconds: Int64(number)))
  }

  /// Every implementation of the protocol, without entries.
  private func storages(_ limits: GeocodeCacheLimits = GeocodeCacheLimits()) -> [any GeocodeCacheStorage] {
    [MemoryCacheStorage(limits: limits), FileCacheStorage(path: path, limits: limits)]
  }

  @Test func result_whenStoredTwice_returnsLast() async {
    for storage in storages() {
      #expect(await storage.result(for: key(1)) == nil)
      await storage.store(cachedResult(1), for: key(1))
      #expect(await storage.result(for: key(1)) == cachedResult(1))
      await storage.store(cachedResult(2), for: key(1))
      #expect(await storage.result(for: key(1)) == cachedResult(2))
      #expect(await storage.result(for: key(2)) == nil)
    }
  }

  @Test func store_whenEntryLimitIsExceeded_evictsOldest() async {
    for storage in storages(limits(entries: 3)) {
      for number in 1...3 { await storage.store(cachedResult(number), for: key(number)) }
      // Storing the entry again makes it the newest.
      await storage.store(cachedResult(9), for: key(1))
      await storage.store(cachedResult(4), for: key(4))
      #expect(await storage.result(for: key(2)) == nil)
      #expect(await storage.result(for: key(1)) == cachedResult(9))
      #expect(await storage.result(for: key(3)) == cachedResult(3))
      #expect(await storage.result(for: key(4)) == cachedResult(4))
    }
  }

  @Test func store_whenByteLimitIsExceeded_evictsOldestOrIgnoresEntry() async throws {
    let size = try #require(CacheRecord(cachedResult(1), for: key(1))).size
    for storage in storages(limits(bytes: 2 * size)) {
      for number in 1...3 { await storage.store(cachedResult(number), for: key(number)) }
      #expect(await storage.result(for: key(1)) == nil)
      #expect(await storage.result(for: key(3)) == cachedResult(3))
      var large = cachedResult(4)
      large.candidates[0].displayName = String(repeating: "x", count: 2 * size)
      await storage.store(large, for: key(4))
      #expect(await storage.result(for: key(4)) == nil)
      #expect(await storage.result(for: key(3)) == cachedResult(3))
    }
  }

  @Test func file_whenReopened_hasEntriesAndIsPrivate() async throws {
    let deep = directory.file("a/b/geocodes")
    let storage = FileCacheStorage(path: deep)
    for number in 1...3 { await storage.store(cachedResult(number), for: key(number)) }
    let reopened = FileCacheStorage(path: deep)
    for number in 1...3 { #expect(await reopened.result(for: key(number)) == cachedResult(number)) }
    #expect(try TemporaryDirectory.permissions(of: deep) == 0o600)
    #expect(try TemporaryDirectory.permissions(of: directory.file("a/b")) == 0o700)
  }

  @Test func file_whenDamaged_isReadUpToDamageAndRepaired() async throws {
    let storage = FileCacheStorage(path: path)
    for number in 1...3 { await storage.store(cachedResult(number), for: key(number)) }
    let complete = try Data(contentsOf: URL(filePath: path))
    var damaged = complete
    damaged[complete.count - 10] ^= 1
    for contents in [damaged, complete.dropLast(5), complete.dropLast(1)] {
      try contents.write(to: URL(filePath: path))
      let reopened = FileCacheStorage(path: path)
      #expect(await reopened.result(for: key(2)) == cachedResult(2))
      #expect(await reopened.result(for: key(3)) == nil)
      await reopened.store(cachedResult(4), for: key(4))
      let repaired = FileCacheStorage(path: path)
      #expect(await repaired.result(for: key(2)) == cachedResult(2))
      #expect(await repaired.result(for: key(4)) == cachedResult(4))
    }
  }

  @Test(arguments: ["", "x", "SQLite format 3\u{0}", "todo geocodes 2\n", "todo geocodes 1\n\u{1}\u{0}\u{0}"])
  func file_whenNotACache_isTreatedAsEmpty(_ contents: String) async throws {
    try Data(contents.utf8).write(to: URL(filePath: path))
    let storage = FileCacheStorage(path: path)
    #expect(await storage.result(for: key(1)) == nil)
    await storage.store(cachedResult(1), for: key(1))
    #expect(await FileCacheStorage(path: path).result(for: key(1)) == cachedResult(1))
  }

  @Test func records_whenAnyByteIsWrong_detectsDamage() throws {
    let record = try #require(CacheRecord(cachedResult(1), for: key(1)))
    let complete = CacheFormat.file(of: [record])
    #expect(CacheFormat.records(in: complete).records == [record])
    for index in complete.indices {
      var damaged = complete
      damaged[index] ^= 0x10
      let contents = CacheFormat.records(in: damaged)
      #expect(contents.records.isEmpty && !contents.isComplete)
      #expect(!CacheFormat.records(in: Array(complete[..<index])).records.contains(record))
    }
  }

  @Test func file_whenOtherUsersCouldChangeIt_isReplaced() async throws {
    await FileCacheStorage(path: path).store(cachedResult(), for: key(1))
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
    let storage = FileCacheStorage(path: path)
    #expect(await storage.result(for: key(1)) == nil)
    await storage.store(cachedResult(), for: key(2))
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    #expect(await FileCacheStorage(path: path).result(for: key(1)) == nil)
    #expect(await FileCacheStorage(path: path).result(for: key(2)) == cachedResult())
  }

  /// The storage may have read the file before another user replaced it.
  @Test func store_whenOtherUsersCanReadFile_doesNotAppend() async throws {
    let storage = FileCacheStorage(path: path)
    await storage.store(cachedResult(), for: key(1))
    let contents = try Data(contentsOf: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
    await storage.store(cachedResult(), for: key(2))
    #expect(try Data(contentsOf: URL(filePath: path)) == contents)
  }

  @Test func result_whenRecordIsTruncated_isNil() throws {
    let record = try #require(CacheRecord(cachedResult(1), for: key(1)))
    for length in record.bytes.indices {
      #expect(CacheRecord(bytes: Array(record.bytes[..<length]))?.result == nil)
    }
  }

  @Test func store_whenFileCannotBeWritten_cachesInMemory() async {
    for path in ["/proc/nothing/geocodes", directory.path] {
      let storage = FileCacheStorage(path: path)
      await storage.store(cachedResult(1), for: key(1))
      #expect(await storage.result(for: key(1)) == cachedResult(1))
    }
  }

  @Test func file_whenEntriesAreReplaced_staysBounded() async throws {
    let storage = FileCacheStorage(path: path, limits: limits(entries: 2))
    for number in 1...3000 { await storage.store(cachedResult(number), for: key(number % 5)) }
    let size = try Data(contentsOf: URL(filePath: path)).count
    #expect(size < 100_000)
    #expect(await FileCacheStorage(path: path).result(for: key(3000 % 5)) == cachedResult(3000))
    #expect(try directory.files == ["geocodes"])
  }
}
