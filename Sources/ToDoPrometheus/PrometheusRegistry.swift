package import CoreMetrics
import Synchronization

/// The metrics of a process, as text for Prometheus (format 0.0.4). Callable from any thread.
///
/// Counters get the suffix `_total`. Timers are histograms in seconds with the suffix `_seconds`, recorders are histograms, and
/// meters are gauges. The labels and their values are those of the program that makes the metrics, so their number is bounded.
package final class PrometheusRegistry: MetricsFactory {
  /// A metric's meaning, and a histogram's buckets.
  package struct Description: Sendable {
    /// A sentence without a full stop.
    package let help: String
    /// The upper bounds of a histogram's buckets, in ascending order.
    package let bounds: [Double]

    /// Creates a description.
    ///
    /// - Parameter bounds: by default, those of latencies from 50 µs to 10 s.
    package init(_ help: String, bounds: [Double] = Self.latencies) {
      self.help = help
      self.bounds = bounds
    }

    /// Bounds in seconds.
    package static let latencies = [
      0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
  }

  /// The values with the same name.
  private struct Family {
    let kind: PrometheusKind
    let description: Description
    var series: [(labels: String, value: any PrometheusSeries)] = []
    var indices: [String: Int] = [:]
  }

  private let descriptions: [String: Description]
  private let families = Mutex<[String: Family]>([:])

  /// The number of series above which a family omits those that have counted nothing.
  private static let briefSeries = 32

  /// Creates a registry without metrics.
  ///
  /// - Parameter descriptions: the descriptions of metrics, by their names in the program.
  package init(_ descriptions: [String: Description] = [:]) { self.descriptions = descriptions }

  /// The metrics as text.
  package var text: String {
    var text = ""
    let families = families.withLock { $0.sorted { $0.key < $1.key } }
    for (name, family) in families {
      let name = name + family.kind.suffix
      text += "# HELP \(name) \(family.description.help.escaped(quotes: false))\n"
      text += "# TYPE \(name) \(family.kind.typeName)\n"
      let isBrief = family.series.count > Self.briefSeries
      for (labels, value) in family.series where !(isBrief && value.isUntouched) {
        value.write(name, labels, to: &text)
      }
    }
    return text
  }

  // MARK: MetricsFactory

  package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(.counter, label, dimensions) { _ in PrometheusCounter() }
  }

  package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(.gauge, label, dimensions) { _ in PrometheusGauge() }
  }

  package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    series(.histogram, label, dimensions) { PrometheusHistogram($0.bounds) }
  }

  package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(.timer, label, dimensions) { PrometheusHistogram($0.bounds) }
  }

  package func destroyCounter(_ handler: any CounterHandler) {}
  package func destroyMeter(_ handler: any MeterHandler) {}
  package func destroyRecorder(_ handler: any RecorderHandler) {}
  package func destroyTimer(_ handler: any TimerHandler) {}

  /// Returns the series with a name and labels. One that contradicts the kind of others with its name is not exported.
  private func series<Series: PrometheusSeries>(
    _ kind: PrometheusKind, _ label: String, _ dimensions: [(String, String)], _ make: (Description) -> Series
  ) -> Series {
    let name = label.metricName
    let labels = dimensions.map { "\($0.0.metricName)=\"\($0.1.escaped(quotes: true))\"" }.joined(separator: ",")
    return families.withLock { families in
      var family =
        families.removeValue(forKey: name)
        ?? Family(kind: kind, description: descriptions[label] ?? Description(label))
      defer { families[name] = family }
      guard family.kind == kind else { return make(family.description) }
      if let index = family.indices[labels], let existing = family.series[index].value as? Series { return existing }
      let new = make(family.description)
      family.indices[labels] = family.series.count
      family.series.append((labels, new))
      return new
    }
  }
}

/// The kind of a metric.
enum PrometheusKind: String {
  case counter, gauge, histogram, timer

  var suffix: String {
    switch self {
    case .counter: "_total"
    case .gauge, .histogram: ""
    case .timer: "_seconds"
    }
  }

  /// The name in the text.
  var typeName: String { self == .timer ? Self.histogram.rawValue : rawValue }
}

extension String {
  /// The text with "_" in place of characters that names cannot have.
  fileprivate var metricName: String {
    let name = String(map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    return name.first?.isNumber == false ? name : "_" + name
  }

  fileprivate func escaped(quotes: Bool) -> String {
    var text = ""
    for character in unicodeScalars {
      switch character {
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\"" where quotes: text += "\\\""
      default: text.unicodeScalars.append(character)
      }
    }
    return text
  }
}
