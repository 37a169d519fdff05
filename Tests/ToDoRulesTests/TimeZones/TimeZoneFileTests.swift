import Foundation
import Testing
import ToDoModel
import ToDoTestSupport

@testable import ToDoRules

@Suite struct TimeZoneFileTests {
  private let zones = TimeZoneFiles()

  private func offset(_ name: String, _ time: String) throws -> ZoneOffset {
    try #require(zones.rules(of: name)).offset(at: #require(Timestamp(time)))
  }

  @Test(
    arguments: [
      ("Europe/Berlin", "2026-03-29T00:59:59Z", 3600, "CET"), ("Europe/Berlin", "2026-03-29T01:00:00Z", 7200, "CEST"),
      ("Europe/Berlin", "2026-10-25T01:00:00Z", 3600, "CET"), ("Europe/Berlin", "1945-05-24T02:00:00Z", 10_800, "CEMT"),
      ("Europe/Berlin", "1800-01-01T00:00:00Z", 3208, "LMT"), ("Europe/Berlin", "9999-07-01T00:00:00Z", 7200, "CEST"),
      ("America/New_York", "2100-07-01T00:00:00Z", -14_400, "EDT"),
      ("Asia/Kathmandu", "2026-01-01T00:00:00Z", 20_700, "+0545"),
      ("Australia/Lord_Howe", "2040-01-01T00:00:00Z", 39_600, "+11"),
      ("Australia/Lord_Howe", "2040-07-01T00:00:00Z", 37_800, "+1030"),
      ("Europe/Dublin", "2050-07-01T00:00:00Z", 3600, "IST"), ("Europe/Dublin", "2050-01-01T00:00:00Z", 0, "GMT"),
      ("Etc/GMT+5", "2026-01-01T00:00:00Z", -18_000, "-05"), ("", "2026-01-01T00:00:00Z", 0, "UTC"),
      ("UTC", "2026-01-01T00:00:00Z", 0, "UTC"),
    ] as [(String, String, Int, String)])
  func offset_ofZone_isThatOfTheDatabase(_ zone: String, _ time: String, _ seconds: Int, _ name: String) throws {
    let offset = try offset(zone, time)
    // Debian names some of the old offsets otherwise than other systems.
    #expect(offset.seconds == seconds)
    #expect(offset.name == name || name == "CEMT")
  }

  @Test(arguments: [
    "Europe", "Europe/Nowhere", "../../etc/passwd", "Europe/../Europe/Berlin", "/etc/localtime", "Europe/Berlin/",
    "localtime",
    "tzdata.zi", "europe/berlin", "Europe/Berlin\0", "right/UTC", String(repeating: "A", count: 65), " ",
    "Europe//Berlin",
  ])
  func rules_ofOtherName_areNil(_ name: String) {
    #expect(zones.rules(of: name) == nil)
  }

  @Test func rules_whenDirectoryIsMissing_areOnlyUTC() {
    let zones = TimeZoneFiles(directory: "/nonexistent")
    #expect(zones.rules(of: "Europe/Berlin") == nil)
    #expect(zones.rules(of: "") != nil)
  }

  @Test func rules_ofUnknownName_areSearchedOnceUntilManyOthersWere() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "zones-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let zones = TimeZoneFiles(directory: directory.path)
    #expect(zones.rules(of: "Mars") == nil)
    try Data(Self.file(times: [0], types: [0], footer: "UTC0")).write(to: directory.appending(path: "Mars"))
    #expect(zones.rules(of: "Mars") == nil)
    for number in 0..<1100 { #expect(zones.rules(of: "Moon\(number)") == nil) }
    #expect(zones.rules(of: "Mars") != nil)
  }

  /// Files that are damaged in any way are refused, or used without a crash.
  @Test func init_withDamagedFile_doesNotCrash() {
    let file = Self.file(times: [0, 1000], types: [0, 1], footer: "CET-1CEST,M3.5.0,M10.5.0/3")
    var generator = SeededGenerator(seed: 6)
    #expect(TimeZoneFile(file) != nil)
    for length in 0..<file.count { #expect(TimeZoneFile(Array(file.prefix(length))) == nil) }
    for _ in 0..<20_000 {
      var bytes = file
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      guard let zone = TimeZoneFile(bytes) else { continue }
      for instant in [Timestamp.supportedRange.lowerBound, Timestamp(microseconds: 0), .supportedRange.upperBound] {
        #expect((-90_000...94_000).contains(zone.offset(at: instant).seconds))
        _ = zone.instant(at: zone.localTime(at: instant))
      }
    }
  }

  @Test func init_withInvalidParts_isNil() {
    #expect(TimeZoneFile(Self.file(times: [5, 5], types: [0, 1])) == nil)
    #expect(TimeZoneFile(Self.file(times: [5, 6], types: [0, 2])) == nil)
    #expect(TimeZoneFile(Self.file(times: [5, 6], types: [0, 1], footer: "CET")) == nil)
    #expect(TimeZoneFile(Self.file(times: [5, 6], types: [0, 1], footer: "CET-1CEST")) == nil)
    #expect(TimeZoneFile(Self.file(times: [5, 6], types: [0, 1], footer: "CET-1CEST,M13.1.0,M10.5.0")) == nil)
    #expect(TimeZoneFile(Self.file(times: [5, 6], types: [0, 1], footer: "CET-1CEST,M3.5.0,M10.5.0/168")) == nil)
    #expect(TimeZoneFile(Self.file(times: [5, 6], types: [0, 1], version: 0)) == nil)
    #expect(TimeZoneFile(Self.file(times: [], types: [])) != nil)
  }

  @Test func offset_ofFooterWithDaysOfTheYear_changesOnThem() throws {
    for (start, end) in [("J60", "J300"), ("60", "300/1:30:00")] {
      let bytes = Self.file(times: [], types: [], footer: "AAA0BBB,\(start),\(end)")
      let zone = try #require(TimeZoneFile(bytes))
      #expect(zone.offset(at: try #require(Timestamp("2024-03-01T01:59:59Z"))).name == "AAA")
      #expect(zone.offset(at: try #require(Timestamp("2024-03-01T02:00:00Z"))).name == "BBB")
      #expect(zone.offset(at: try #require(Timestamp("2024-12-01T00:00:00Z"))).name == "AAA")
    }
  }

  /// A file with the types CET and CEST.
  private static func file(
    times: [Int64], types: [UInt8], footer: String = "", version: UInt8 = UInt8(ascii: "2")
  ) -> [UInt8] {
    let text = Array("CET\0CEST\0".utf8)
    func number(_ value: Int64, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> Int64(8 * $0)) }
    }
    func header(_ timeCount: Int, _ typeCount: Int, _ textSize: Int) -> [UInt8] {
      Array("TZif".utf8) + [version] + Array(repeating: 0, count: 15)
        + [0, 0, 0, timeCount, typeCount, textSize].flatMap { number(Int64($0), 4) }
    }
    var bytes = header(0, 1, 1) + [0, 0, 0, 0, 0, 0, 0]
    bytes += header(times.count, 2, text.count)
    bytes += times.flatMap { number($0, 8) }
    bytes += types
    bytes += number(3600, 4) + [0, 0] + number(7200, 4) + [1, 4]
    bytes += text
    return bytes + Array("\n\(footer)\n".utf8)
  }
}
