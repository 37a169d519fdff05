import Foundation
import Synchronization
import Testing
import ToDoModel
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoGeocoders

@Suite(.unitTimeLimited) struct CacheStorageTests {
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

  /// A storage in memory and one in a file, without entries.
  private func storages(_ limits: GeocodeCacheLimits = GeocodeCacheLimits()) -> [any GeocodeCacheStorage] {
    [SQLiteCacheStorage(limits: limits), SQLiteCacheStorage(path: path, limits: limits)]
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

  /// Each candidate counts.
  @Test func store_whenEntryLimitIsExceeded_evictsOldest() async {
    for storage in storages(limits(entries: 6)) {
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

  @Test func store_whenResultExceedsEntryLimit_ignoresIt() async {
    for storage in storages(limits(entries: 3)) {
      await storage.store(cachedResult(1), for: key(1))
      var large = cachedResult(2)
      large.candidates += large.candidates
      await storage.store(large, for: key(2))
      #expect(await storage.result(for: key(2)) == nil)
      #expect(await storage.result(for: key(1)) == cachedResult(1))
    }
  }

  @Test func store_whenByteLimitIsExceeded_evictsOldestOrIgnoresEntry() async {
    let size = GeocodeCacheTable.size(of: cachedResult(1), key(1))
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
    let storage = SQLiteCacheStorage(path: deep)
    for number in 1...3 { await storage.store(cachedResult(number), for: key(number)) }
    let reopened = SQLiteCacheStorage(path: deep)
    for number in 1...3 { #expect(await reopened.result(for: key(number)) == cachedResult(number)) }
    #expect(try TemporaryDirectory.permissions(of: deep) == 0o600)
    #expect(try TemporaryDirectory.permissions(of: directory.file("a/b")) == 0o700)
  }

  @Test func result_withoutCandidatesOrWithAGuess_isStored() async {
    var guess = cachedResult(1)
    guess.candidates[0].isGuess = true
    let none = CachedResult(candidates: [], limit: 3, time: Timestamp(microseconds: -1))
    for storage in storages() {
      await storage.store(guess, for: key(1))
      await storage.store(none, for: key(2))
      #expect(await storage.result(for: key(1)) == guess)
      #expect(await storage.result(for: key(2)) == none)
    }
  }

  @Test(arguments: [
    "x", "SQLite format 3\u{0}", "todo geocodes 1\n\u{1}\u{0}\u{0}", String(repeating: "x", count: 100_000),
  ])
  func file_whenNotACache_isThrownAway(_ contents: String) async throws {
    try Data(contents.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let storage = SQLiteCacheStorage(path: path)
    #expect(await storage.result(for: key(1)) == nil)
    await storage.store(cachedResult(1), for: key(1))
    #expect(await SQLiteCacheStorage(path: path).result(for: key(1)) == cachedResult(1))
  }

  @Test func file_ofAnotherFormat_isThrownAway() async throws {
    await SQLiteCacheStorage(path: path).store(cachedResult(1), for: key(1))
    try SQLiteConnection(path: path).execute("PRAGMA user_version = 9")
    let storage = SQLiteCacheStorage(path: path)
    #expect(await storage.result(for: key(1)) == nil)
    await storage.store(cachedResult(2), for: key(2))
    #expect(await SQLiteCacheStorage(path: path).result(for: key(2)) == cachedResult(2))
  }

  /// Whatever is damaged, the storage returns a result that was stored or none, and stores the next one.
  @Test func file_whenDamaged_isUsableAgain() async throws {
    let storage = SQLiteCacheStorage(path: path)
    for number in 1...20 { await storage.store(cachedResult(number), for: key(number)) }
    let complete = try Data(contentsOf: URL(filePath: path))
    for offset in stride(from: 0, to: complete.count, by: 997) {
      var damaged = complete
      for index in offset..<min(offset + 64, complete.count) { damaged[index] ^= 0x55 }
      try damaged.write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      let reopened = SQLiteCacheStorage(path: path)
      for number in 1...20 { _ = await reopened.result(for: key(number)) }
      await reopened.store(cachedResult(99), for: key(99))
      #expect(await reopened.result(for: key(99)) == cachedResult(99))
    }
  }

  @Test func file_whenOtherUsersCouldChangeIt_isReplaced() async throws {
    await SQLiteCacheStorage(path: path).store(cachedResult(), for: key(1))
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
    let storage = SQLiteCacheStorage(path: path)
    #expect(await storage.result(for: key(1)) == nil)
    await storage.store(cachedResult(), for: key(2))
    #expect(try TemporaryDirectory.permissions(of: path) == 0o600)
    #expect(await SQLiteCacheStorage(path: path).result(for: key(2)) == cachedResult())
  }

  @Test func file_ofTwoProcesses_isShared() async {
    let (one, other) = (SQLiteCacheStorage(path: path), SQLiteCacheStorage(path: path))
    await one.store(cachedResult(1), for: key(1))
    await other.store(cachedResult(2), for: key(2))
    #expect(await one.result(for: key(2)) == cachedResult(2))
    #expect(await other.result(for: key(1)) == cachedResult(1))
  }

  @Test func store_whenFileCannotBeWritten_cachesInMemory() async {
    for path in ["/proc/nothing/geocodes", directory.path] {
      let storage = SQLiteCacheStorage(path: path)
      await storage.store(cachedResult(1), for: key(1))
      #expect(await storage.result(for: key(1)) == cachedResult(1))
    }
  }

  /// SQLite opens a file of a later format for reading only.
  @Test func store_whenFileIsReadOnly_cachesInMemory() async throws {
    await SQLiteCacheStorage(path: path).store(cachedResult(1), for: key(1))
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[18] = 3
    try bytes.write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let reports = Reports()
    let storage = SQLiteCacheStorage(path: path, report: { reports.add($0) })
    for number in 2...3 {
      await storage.store(cachedResult(number), for: key(number))
      #expect(await storage.result(for: key(number)) == cachedResult(number))
    }
    #expect(await storage.result(for: key(1)) == cachedResult(1))
    let reason = "attempt to write a readonly database (SQLite code 8)"
    #expect(reports.texts == ["\(path) can't be used, so geocoded places are cached in memory: \(reason)"])
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
  }

  @Test func store_whileAnotherProcessWrites_cachesInMemory() async throws {
    await SQLiteCacheStorage(path: path).store(cachedResult(1), for: key(1))
    let storage = SQLiteCacheStorage(path: path)
    let other = try SQLiteConnection(path: path)
    try other.execute("BEGIN IMMEDIATE")
    await storage.store(cachedResult(2), for: key(2))
    #expect(await storage.result(for: key(2)) == cachedResult(2))
    try other.execute("COMMIT")
    // The file has the newest result again.
    await storage.store(cachedResult(3), for: key(2))
    #expect(await storage.result(for: key(2)) == cachedResult(3))
    #expect(await SQLiteCacheStorage(path: path).result(for: key(2)) == cachedResult(3))
    #expect(await storage.result(for: key(1)) == cachedResult(1))
  }

  @Test(arguments: [1, 3]) func result_whenFileAndMemoryHaveOne_isTheNewer(_ filed: Int) async throws {
    await SQLiteCacheStorage(path: path).store(cachedResult(9), for: key(9))
    let storage = SQLiteCacheStorage(path: path)
    let other = try SQLiteConnection(path: path)
    try other.execute("BEGIN IMMEDIATE")
    await storage.store(cachedResult(2), for: key(1))
    try other.execute("COMMIT")
    await SQLiteCacheStorage(path: path).store(cachedResult(filed), for: key(1))
    #expect(await storage.result(for: key(1)) == cachedResult(max(2, filed)))
  }

  @Test func file_whenReplacedByAnotherProcess_isStillShared() async throws {
    let one = SQLiteCacheStorage(path: path)
    await one.store(cachedResult(1), for: key(1))
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
    await SQLiteCacheStorage(path: path).store(cachedResult(2), for: key(2))
    await one.store(cachedResult(3), for: key(3))
    let third = SQLiteCacheStorage(path: path)
    for number in 2...3 { #expect(await third.result(for: key(number)) == cachedResult(number)) }
  }

  /// The lock of another process that replaces it.
  @Test func file_whileAnotherProcessReplacesIt_isLeftAlone() async throws {
    try Data("x".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
    let lock = open(directory.path, O_RDONLY)
    #expect(flock(lock, LOCK_EX) == 0)
    let reports = Reports()
    let storage = SQLiteCacheStorage(path: path, report: { reports.add($0) })
    await storage.store(cachedResult(1), for: key(1))
    #expect(await storage.result(for: key(1)) == cachedResult(1))
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("x".utf8))
    #expect(reports.texts.isEmpty)
    close(lock)
    await storage.store(cachedResult(2), for: key(2))
    #expect(await SQLiteCacheStorage(path: path).result(for: key(2)) == cachedResult(2))
  }

  /// What one process discards, the other has open.
  @Test func file_whenDiscardedByAnotherProcess_isStillShared() async throws {
    let one = SQLiteCacheStorage(path: path)
    await one.store(cachedResult(1), for: key(1))
    try SQLiteConnection(path: path).execute("PRAGMA user_version = 9")
    let other = SQLiteCacheStorage(path: path)
    await other.store(cachedResult(2), for: key(2))
    await one.store(cachedResult(3), for: key(3))
    let third = SQLiteCacheStorage(path: path)
    for number in 2...3 {
      #expect(await third.result(for: key(number)) == cachedResult(number))
      #expect(await one.result(for: key(number)) == cachedResult(number))
    }
  }

  @Test(arguments: [
    "CREATE TRIGGER t AFTER INSERT ON results BEGIN DELETE FROM results; END",
    "DROP TABLE results; CREATE VIEW results AS SELECT 1",
    "DROP TABLE results; CREATE TABLE results (key TEXT)",
    "ALTER TABLE results ADD COLUMN extra TEXT", "CREATE VIEW v AS SELECT * FROM results", "DROP INDEX results_key",
  ])
  func file_whenSchemaIsAnother_isThrownAway(_ script: String) async throws {
    await SQLiteCacheStorage(path: path).store(cachedResult(1), for: key(1))
    try SQLiteConnection(path: path).execute(script)
    let storage = SQLiteCacheStorage(path: path)
    #expect(await storage.result(for: key(1)) == nil)
    await storage.store(cachedResult(2), for: key(2))
    #expect(await SQLiteCacheStorage(path: path).result(for: key(2)) == cachedResult(2))
    let objects = try SQLiteConnection(path: path).rows("SELECT name FROM sqlite_schema ORDER BY name") { $0.text(0) }
    #expect(objects == ["results", "results_key"])
  }

  @Test func result_whileAnotherProcessReads_isFound() async throws {
    await SQLiteCacheStorage(path: path).store(cachedResult(1), for: key(1))
    let other = try SQLiteConnection(path: path)
    try other.execute("BEGIN; SELECT count(*) FROM results")
    #expect(await SQLiteCacheStorage(path: path).result(for: key(1)) == cachedResult(1))
    try other.execute("COMMIT")
  }

  @Test func file_whenEntriesAreReplaced_staysBounded() async throws {
    let storage = SQLiteCacheStorage(path: path, limits: limits(entries: 4))
    for number in 1...500 { await storage.store(cachedResult(number), for: key(number % 5)) }
    #expect(try Data(contentsOf: URL(filePath: path)).count < 100_000)
    #expect(await SQLiteCacheStorage(path: path).result(for: key(500 % 5)) == cachedResult(500))
    #expect(try directory.files == ["geocodes"])
  }
}

private final class Reports: Sendable {
  private let state = Mutex<[String]>([])

  var texts: [String] { state.withLock(\.self) }

  func add(_ text: String) { state.withLock { $0.append(text) } }
}
