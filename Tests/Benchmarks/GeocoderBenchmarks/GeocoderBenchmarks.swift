import ToDoGeocoders
import ToDoModel

/// Measures the gazetteer. Run it on an otherwise idle machine, in a release build:
///
///     swift run -c release GeocoderBenchmarks
///
/// The first part starts this program repeatedly. It measures the time from the start of the process to the result of the
/// first lookup, and the private memory of the process at that point. The second part measures sequential lookups.
@main
struct GeocoderBenchmarks {
  private static let starts = 21
  private static let rounds = 2000

  static func main() async throws {
    if CommandLine.arguments.dropFirst().first == FirstLookup.argument { return try await FirstLookup.run() }

    let lookups = try (0..<starts).map { _ in try FirstLookup.measureNewProcess() }
    let times = lookups.map(\.time).sorted()
    print("first result after the start: \(format(times[starts / 2])) ms, at most \(format(times[starts - 1])) ms")
    let memory = lookups.map(\.memory).sorted { $0.ofProcess < $1.ofProcess }[starts / 2]
    print("private memory of the process: \(memory.ofProcess) KiB, of which written \(memory.written) KiB")
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
    print("lookup, \(name): p50 \(format(times[rounds / 2])) µs, p99 \(format(times[rounds * 99 / 100])) µs")
  }

  private static func format(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
