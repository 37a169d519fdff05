import SQLite
import TestSupport
import Testing

@testable import ToDoStores

@Suite struct SpaceReserveTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  private var isThere: Bool { FileSystem.exists(path + ".reserve") }

  @Test func reserve_whenReleased_isRestoredByLaterCommits() async throws {
    let store = try SQLiteToDoItemStore(path: path, reserve: 1 << 20)
    #expect(isThere)
    await store.releaseReserve()
    #expect(!isThere)
    for number in 0..<64 as Range<UInt64> { try await store.add(.sample(number)) }
    #expect(!isThere)
    try await store.add(.sample(64))
    #expect(isThere)
    await store.close()
    #expect(!isThere)
  }

  @Test func reserve_whenItIsKept_staysAfterClose() async throws {
    let store = try SQLiteToDoItemStore(path: path, reserve: 1 << 16, keepsReserve: true)
    await store.close()
    let first = try #require(FileSystem.identity(of: path + ".reserve"))
    let second = try SQLiteToDoItemStore(path: path, reserve: 1 << 16, keepsReserve: true)
    #expect(FileSystem.identity(of: path + ".reserve") == first)
    await second.releaseReserve()
    #expect(!isThere)
    await second.close()
    #expect(FileSystem.size(of: path + ".reserve") == 1 << 16)
  }

  @Test func open_whenDiskIsFull_releasesReserve() throws {
    let file = DatabaseFile(path: path)
    let reserve = SpaceReserve(file, size: 1 << 16, isKept: true)
    reserve.allocate()
    let connection = try reserve.opening {
      // As a file system reports it: the space of the reserve is needed.
      if isThere { throw SQLiteStoreError.full(path: path) }
      return try file.open()
    }
    try connection.close()
    #expect(!isThere)
    reserve.close()
    #expect(isThere)
  }

  @Test func open_whenDiskIsFullWithoutReserve_throws() {
    let reserve = SpaceReserve(DatabaseFile(path: path), size: 1 << 16, isKept: true)
    #expect(throws: SQLiteStoreError.self) { try reserve.opening { throw SQLiteStoreError.full(path: path) } }
  }

  @Test func store_withoutReserve_hasNoFile() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    await store.releaseReserve()
    #expect(!isThere)
    await store.close()
  }
}
