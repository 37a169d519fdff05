import FoundationEssentials
import Testing
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

@Suite(.unitTimeLimited) struct SpaceReserveTests {
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

  @Test func reserve_whenItCannotBeRestored_isTriedAgainAfterAsManyCommits() throws {
    let folder = directory.file("later")
    let reserve = SpaceReserve(DatabaseFile(path: folder + "/items.sqlite"), size: 1 << 16, isKept: true)
    reserve.release()
    for _ in 0..<65 { reserve.restoreIfReleased() }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    for _ in 0..<64 { reserve.restoreIfReleased() }
    #expect(!FileSystem.exists(folder + "/items.sqlite.reserve"))
    reserve.restoreIfReleased()
    #expect(FileSystem.exists(folder + "/items.sqlite.reserve"))
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

  @Test func open_whenDiskIsFull_freesOnlyWhatItNeeds() throws {
    let file = DatabaseFile(path: path)
    try file.open().close()
    let reserve = SpaceReserve(file, size: 1 << 20, isKept: true)
    reserve.allocate()
    let part = 128 << 10
    let connection = try reserve.opening {
      if FileSystem.size(of: path + ".reserve") ?? 0 > 1 << 20 - 2 * part { throw SQLiteStoreError.full(path: path) }
      return try file.open()
    }
    try connection.close()
    #expect(FileSystem.size(of: path + ".reserve") == 1 << 20 - 2 * part)
    reserve.close()
    #expect(FileSystem.size(of: path + ".reserve") == 1 << 20)
  }

  /// Otherwise additions would use the space up, and then nothing could be deleted.
  @Test func writes_whenReserveWasNeededToOpen_areRejected_untilDeletionReleasesIt() throws {
    let reserve = try reserveNeededToOpen(size: 1 << 50)
    #expect(!reserve.admitsWrites())
    reserve.release()
    #expect(reserve.admitsWrites())
    #expect(!isThere)
  }

  @Test func writes_whenDiskHasSpaceAgain_areAdmitted() throws {
    let reserve = try reserveNeededToOpen(size: 1 << 20)
    #expect(reserve.admitsWrites())
    #expect(FileSystem.size(of: path + ".reserve") == 1 << 20)
  }

  /// A reserve of which an earlier process left 256 KiB, and that was needed to open the database.
  ///
  /// - Parameter size: in bytes. No disk has 2^50.
  private func reserveNeededToOpen(size: Int) throws -> SpaceReserve {
    try DatabaseFile(path: path).open().close()
    #expect(FileSystem.allocate(1 << 18, for: path + ".reserve"))
    let reserve = SpaceReserve(DatabaseFile(path: path), size: size, isKept: true)
    var isFull = true
    let connection = try reserve.opening {
      defer { isFull = false }
      if isFull { throw SQLiteStoreError.full(path: path) }
      return try DatabaseFile(path: path).open()
    }
    try connection.close()
    return reserve
  }

  @Test func allocation_whenDiskIsFull_leavesFileAsItIs() throws {
    #expect(!FileSystem.allocate(1 << 50, for: path))
    #expect(!FileSystem.exists(path))
    #expect(FileSystem.allocate(1 << 16, for: path))
    #expect(!FileSystem.allocate(1 << 50, for: path))
    #expect(FileSystem.size(of: path) == 1 << 16)
  }

  /// Another user may have given the name to a file of this user.
  @Test func size_whenFileHasASecondName_staysAsItIs() throws {
    #expect(FileSystem.allocate(1 << 16, for: path))
    try FileSystem.link(path, as: path + ".reserve")
    #expect(!FileSystem.allocate(1 << 20, for: path + ".reserve"))
    #expect(!FileSystem.free(1, of: path + ".reserve"))
    #expect(FileSystem.size(of: path) == 1 << 16)
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
