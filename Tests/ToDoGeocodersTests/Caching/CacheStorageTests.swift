import Foundation
import TestSupport
import Testing
import ToDoModel

@testable import ToDoGeocoders

@Suite struct CacheStorageTests {
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

  private func answer(_ number: Int = 1) -> CachedResult {
    var candidate = GeocodeCandidate.alte
    candidate.displayName = "東京 \(number)"
    candidate.attribution = "©"
    return CachedResult(candidates: [candidate, .alte], limit: 5, time: Timestamp(microseconds: Int64(number)))
  }

  /// Every implementation, empty.
  private func storages(_ limits: GeocodeCacheLimits = GeocodeCacheLimits()) -> [any GeocodeCacheStorage] {
    [MemoryCacheStorage(limits: limits), FileCacheStorage(path: path, limits: limits)]
  }

  @Test func whatWasStoredLast_isThere() async {
    for storage in storages() {
      #expect(await storage.result(for: key(1)) == nil)
      await storage.store(answer(1), for: key(1))
      #expect(await storage.result(for: key(1)) == answer(1))
      await storage.store(answer(2), for: key(1))
      #expect(await storage.result(for: key(1)) == answer(2))
      #expect(await storage.result(for: key(2)) == nil)
    }
  }

  @Test func beyondTheEntries_theEarliestGo() async {
    for storage in storages(limits(entries: 3)) {
      for number in 1...3 { await storage.store(answer(number), for: key(number)) }
      // Stored anew, it is not the earliest any more.
      await storage.store(answer(9), for: key(1))
      await storage.store(answer(4), for: key(4))
      #expect(await storage.result(for: key(2)) == nil)
      #expect(await storage.result(for: key(1)) == answer(9))
      #expect(await storage.result(for: key(3)) == answer(3))
      #expect(await storage.result(for: key(4)) == answer(4))
    }
  }

  @Test func beyondTheBytes_theEarliestGo_andWhatIsTooLargeIsNotKept() async throws {
    let size = try #require(CacheRecord(answer(1), for: key(1))).size
    for storage in storages(limits(bytes: 2 * size)) {
      for number in 1...3 { await storage.store(answer(number), for: key(number)) }
      #expect(await storage.result(for: key(1)) == nil)
      #expect(await storage.result(for: key(3)) == answer(3))
      var large = answer(4)
      large.candidates[0].displayName = String(repeating: "x", count: 2 * size)
      await storage.store(large, for: key(4))
      #expect(await storage.result(for: key(4)) == nil)
      #expect(await storage.result(for: key(3)) == answer(3))
    }
  }

  @Test func aFile_keepsWhatIsStored_forTheUserAlone() async throws {
    let deep = directory.file("a/b/geocodes")
    let storage = FileCacheStorage(path: deep)
    for number in 1...3 { await storage.store(answer(number), for: key(number)) }
    let reopened = FileCacheStorage(path: deep)
    for number in 1...3 { #expect(await reopened.result(for: key(number)) == answer(number)) }
    #expect(try TemporaryDirectory.permissions(of: deep) == 0o600)
    #expect(try TemporaryDirectory.permissions(of: directory.file("a/b")) == 0o700)
  }

  @Test func aDamagedFile_isReadUpToTheDamage_andMended() async throws {
    let storage = FileCacheStorage(path: path)
    for number in 1...3 { await storage.store(answer(number), for: key(number)) }
    let whole = try Data(contentsOf: URL(filePath: path))
    var damaged = whole
    damaged[whole.count - 10] ^= 1
    for contents in [damaged, whole.dropLast(5), whole.dropLast(1)] {
      try contents.write(to: URL(filePath: path))
      let reopened = FileCacheStorage(path: path)
      #expect(await reopened.result(for: key(2)) == answer(2))
      #expect(await reopened.result(for: key(3)) == nil)
      await reopened.store(answer(4), for: key(4))
      let mended = FileCacheStorage(path: path)
      #expect(await mended.result(for: key(2)) == answer(2))
      #expect(await mended.result(for: key(4)) == answer(4))
    }
  }

  @Test(arguments: ["", "x", "SQLite format 3\u{0}", "todo geocodes 2\n", "todo geocodes 1\n\u{1}\u{0}\u{0}"])
  func aFileThatIsNoCache_isAnEmptyOne(_ contents: String) async throws {
    try Data(contents.utf8).write(to: URL(filePath: path))
    let storage = FileCacheStorage(path: path)
    #expect(await storage.result(for: key(1)) == nil)
    await storage.store(answer(1), for: key(1))
    #expect(await FileCacheStorage(path: path).result(for: key(1)) == answer(1))
  }

  @Test func everyByteThatIsWrong_isNoticed() throws {
    let record = try #require(CacheRecord(answer(1), for: key(1)))
    let whole = CacheFormat.file(of: [record])
    #expect(CacheFormat.records(in: whole).records == [record])
    for index in whole.indices {
      var damaged = whole
      damaged[index] ^= 0x10
      let contents = CacheFormat.records(in: damaged)
      #expect(contents.records.isEmpty && !contents.isComplete)
      #expect(!CacheFormat.records(in: Array(whole[..<index])).records.contains(record))
    }
  }

  @Test func bytesOfARecordThatMakeNoSense_areNoAnswer() throws {
    let record = try #require(CacheRecord(answer(1), for: key(1)))
    for length in record.bytes.indices {
      #expect(CacheRecord(bytes: Array(record.bytes[..<length]))?.result == nil)
    }
  }

  @Test func whereNothingCanBeWritten_answersLastAsLongAsTheProcess() async {
    for path in ["/proc/nothing/geocodes", directory.path] {
      let storage = FileCacheStorage(path: path)
      await storage.store(answer(1), for: key(1))
      #expect(await storage.result(for: key(1)) == answer(1))
    }
  }

  @Test func aFile_doesNotGrowWithoutEnd() async throws {
    let storage = FileCacheStorage(path: path, limits: limits(entries: 2))
    for number in 1...3000 { await storage.store(answer(number), for: key(number % 5)) }
    let size = try Data(contentsOf: URL(filePath: path)).count
    #expect(size < 100_000)
    #expect(await FileCacheStorage(path: path).result(for: key(3000 % 5)) == answer(3000))
    #expect(try directory.files == ["geocodes"])
  }
}
