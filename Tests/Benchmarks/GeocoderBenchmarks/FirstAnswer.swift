import ToDoGeocoders
import ToDoModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process that starts, looks one address up and ends.
struct FirstAnswer {
  static let argument = "first-answer"

  /// From before the start, in milliseconds.
  var time: Double
  var memory: Memory

  struct Memory {
    /// All that is not shared with other processes, in KiB, and what of it was written to.
    var ofProcess = 0
    var written = 0
    /// By how much the first answer made the former grow.
    var ofGeocoder = 0
  }

  /// What the process does: it prints when it had the answer, and the memory.
  static func give() async throws {
    let before = memory()
    let geocoder = try GazetteerGeocoder()
    let answer = try await geocoder.candidates(for: GeocodeQuery(address: "Barer Str. 27, 80333 München"))
    let end = now()
    precondition(answer.first?.displayName == "Munich, Bavaria, Germany")
    let after = memory()
    print(end, after.clean + after.dirty, after.dirty, after.clean + after.dirty - before.clean - before.dirty)
  }

  static func ofNewProcess() throws -> FirstAnswer {
    let start = now()
    // popen, as Foundation would be loaded by the process that is measured, too.
    guard let output = popen("exec '\(CommandLine.arguments[0])' \(argument)", "r") else { throw Failure() }
    defer { pclose(output) }
    let numbers = line(of: output).split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 4 else { throw Failure() }
    return FirstAnswer(
      time: Double(numbers[0] - start) / 1e6,
      memory: Memory(ofProcess: numbers[1], written: numbers[2], ofGeocoder: numbers[3]))
  }

  struct Failure: Error {}

  /// Nanoseconds on a clock that all processes share.
  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// In KiB; zero where the system does not say.
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
