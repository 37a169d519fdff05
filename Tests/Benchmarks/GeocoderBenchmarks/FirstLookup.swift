import Glibc
import ToDoGeocoders
import ToDoModel

/// The first lookup of a new process.
struct FirstLookup {
  static let argument = "first-lookup"

  /// The time from the start of the process to the result, in milliseconds.
  var time: Double
  var memory: Memory

  /// The private memory of the process, in KiB.
  struct Memory {
    /// All memory that is not shared with other processes.
    var ofProcess = 0
    /// The part of `ofProcess` that the process has written to.
    var written = 0
    /// The growth of `ofProcess` during the lookup.
    var ofGeocoder = 0
  }

  /// Runs in the new process: looks up one address, and prints the time of the result and the memory.
  static func run() async throws {
    let before = memory()
    let geocoder = try GazetteerGeocoder()
    let candidates = try await geocoder.candidates(for: GeocodeQuery(address: "Barer Str. 27, 80333 München"))
    let end = now()
    precondition(candidates.first?.displayName == "Munich, Bavaria, Germany")
    let after = memory()
    print(end, after.clean + after.dirty, after.dirty, after.clean + after.dirty - before.clean - before.dirty)
  }

  /// Starts a new process that performs a lookup.
  static func measureNewProcess() throws -> FirstLookup {
    let start = now()
    // Uses popen, because the measured process is this program and would also have to load Foundation.
    guard let output = popen("exec '\(CommandLine.arguments[0])' \(argument)", "r") else { throw Failure() }
    defer { pclose(output) }
    let numbers = line(of: output).split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 4 else { throw Failure() }
    return FirstLookup(
      time: Double(numbers[0] - start) / 1e6,
      memory: Memory(ofProcess: numbers[1], written: numbers[2], ofGeocoder: numbers[3]))
  }

  struct Failure: Error {}

  /// Returns nanoseconds of a clock that all processes share.
  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// Returns the private memory in KiB; zero if the system does not report it.
  private static func memory() -> (clean: Int, dirty: Int) {
    guard let file = fopen("/proc/self/smaps_rollup", "r") else { return (0, 0) }
    defer { fclose(file) }
    var values: [Substring: Int] = [:]
    while feof(file) == 0 {
      let words = line(of: file).split(separator: " ")
      if words.count == 3, let value = Int(words[1]) { values[words[0]] = value }
    }
    return (values["Private_Clean:", default: 0], values["Private_Dirty:", default: 0])
  }

  private static func line(of file: UnsafeMutablePointer<FILE>) -> String {
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF, byte != 0x0A { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
