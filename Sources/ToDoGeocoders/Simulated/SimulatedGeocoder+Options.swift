import ToDoSupport

extension SimulatedGeocoder.Options {
  /// Sets an option by its name in a geocoder selection.
  mutating func set(_ name: String, to value: String) throws(GeocoderSelectionError) {
    switch name {
    case "latency":
      guard let duration = Self.latencies.parse(value) else {
        throw GeocoderSelectionError(
          "'latency=\(value)' is not a duration of at most one hour; write for example '20ms' or '2s'")
      }
      latency = duration
    case "fail":
      guard let part = Double(value), (0...1).contains(part) else {
        throw GeocoderSelectionError("'fail=\(value)' is not a fraction from 0 to 1; write for example '0.1'")
      }
      failureRate = part
    case "seed":
      guard let number = UInt64(value) else {
        throw GeocoderSelectionError("'seed=\(value)' is not an integer from 0 to \(UInt64.max)")
      }
      seed = number
    case "mode":
      guard let mode = SimulatedGeocoder.Behavior(rawValue: value) else {
        let modes = SimulatedGeocoder.Behavior.allCases.map(\.rawValue).joined(separator: ", ")
        throw GeocoderSelectionError("unknown mode '\(value)'; valid values are \(modes)")
      }
      behavior = mode
    default:
      throw GeocoderSelectionError("unknown option '\(name)'; valid options are latency, fail, seed and mode")
    }
  }

  private static let latencies = DurationFormat(units: ["ms", "s"], upTo: .seconds(3600))
}
