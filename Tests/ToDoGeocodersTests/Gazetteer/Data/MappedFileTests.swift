import Foundation
import Testing
import ToDoModel
import ToDoRules
import ToDoTestSupport

@testable import ToDoGeocoders

@Suite(.unitTimeLimited) struct MappedFileTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func makeFile(_ name: String, _ text: String) throws {
    let url = URL(filePath: directory.file(name))
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  @Test func init_ofFile_containsItsBytes() throws {
    try makeFile("a", "text")
    let file = try #require(MappedFile(path: directory.file("a")))
    #expect(file.withBytes { Array($0) } == Array("text".utf8))
  }

  @Test(arguments: ["empty", "missing", "folder/"]) func init_ofUnreadableFile_isNil(name: String) throws {
    try makeFile("empty", "")
    try makeFile("folder/a", "text")
    #expect(MappedFile(path: directory.file(name)) == nil)
  }

  @Test func gazetteer_isThatInShare_orBesideProgram() throws {
    let program = directory.file("bin/todo")
    #expect(throws: GazetteerError.missing(path: directory.file("bin/../share/todo/gazetteer.bin"))) {
      try MappedFile.gazetteer(of: program)
    }
    try makeFile("bin/gazetteer.bin", "beside")
    #expect(try MappedFile.gazetteer(of: program).withBytes { Array($0) } == Array("beside".utf8))
    try makeFile("share/todo/gazetteer.bin", "share")
    #expect(try MappedFile.gazetteer(of: program).withBytes { Array($0) } == Array("share".utf8))
  }

  @Test func executable_isThisProgram() {
    #expect(FileManager.default.isExecutableFile(atPath: MappedFile.executable))
  }

  @Test func geocoder_ofFile_findsPlaces() async throws {
    let path = #filePath.split(separator: "/Tests/").dropLast().joined(separator: "/Tests/")
    let file = try #require(MappedFile(path: path + "/Sources/CToDoGazetteer/gazetteer.bin"))
    let candidates = try await GazetteerGeocoder(.file(file)).candidates(for: GeocodeQuery(address: "München"))
    #expect(candidates.first?.displayName == "Munich, Bavaria, Germany")
  }
}
