import ToDoGeocoders
import ToDoModel

/// Measures the gazetteer. Run it alone, in a release build:
///
///     swift run -c release GeocoderBenchmarks
///
/// The first part starts this program again and again, and takes the time from before its start to its first answer, and
/// the memory that it has for itself by then. The second part is what look-ups take, one after the other.
@main
struct GeocoderBenchmarks {
  private static let starts = 21
  private static let rounds = 2000

  static func main() async throws {
    if CommandLine.arguments.dropFirst().first == FirstAnswer.argument { return try await FirstAnswer.give() }

    let answers = try (0..<starts).map { _ in try FirstAnswer.ofNewProcess() }
    let times = answers.map(\.time).sorted()
    print("first answer after the start: \(format(times[starts / 2])) ms, at most \(format(times[starts - 1])) ms")
    let memory = answers.map(\.memory).sorted { $0.ofProcess < $1.ofProcess }[starts / 2]
    print("memory of the process alone: \(memory.ofProcess) KiB, of which written \(memory.written) KiB")
    print("  of which the gazetteer: \(memory.ofGeocoder) KiB")

    let geocoder = try GazetteerGeocoder()
    for (name, address) in addresses { try await measure(name, GeocodeQuery(address: address), geocoder) }
    let bias = Coordinate(latitude: 48, longitude: 11)
    try await measure("with a bias", GeocodeQuery(address: "San Antonio", bias: bias, limit: 50), geocoder)
  }

  private static let addresses = [
    ("a town", "München"), ("with a qualifier", "Springfield, IL, USA"), ("of another script", "東京都新宿区西新宿2-8-1"),
    ("an address", "Barer Str. 27, 80333 München"), ("a long address", "350 5th Ave, New York, NY 10118"),
    ("a name of many towns", "San Antonio"), ("nothing", "qwertzuiop"),
    ("the longest address, of names", String(repeating: "san antonio new york ", count: 49)),
  ]

  private static func measure(_ name: String, _ query: GeocodeQuery, _ geocoder: GazetteerGeocoder) async throws {
    var times: [Double] = []
    for _ in 0..<rounds {
      let time = try await ContinuousClock().measure { _ = try await geocoder.candidates(for: query) }
      times.append(time / .microseconds(1))
    }
    times.sort()
    print("look-up, \(name): \(format(times[rounds / 2])) µs, 99 of 100 below \(format(times[rounds * 99 / 100])) µs")
  }

  private static func format(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
