import CoreMetrics
import Synchronization

/// A value, or a histogram, for one label combination.
protocol PrometheusSeries: AnyObject, Sendable {
  /// Whether nothing has been counted or measured.
  var isUntouched: Bool { get }
  /// Appends the lines of the series.
  func write(_ name: String, _ labels: String, to text: inout String)
}

/// A number that only grows.
final class PrometheusCounter: PrometheusSeries, CounterHandler {
  private let value = Atomic<Int64>(0)

  var isUntouched: Bool { value.load(ordering: .relaxed) == 0 }

  func increment(by amount: Int64) { value.wrappingAdd(amount, ordering: .relaxed) }

  func reset() { value.store(0, ordering: .relaxed) }

  func write(_ name: String, _ labels: String, to text: inout String) {
    text.appendSample(name, labels, String(value.load(ordering: .relaxed)))
  }
}

/// A number that grows and shrinks.
final class PrometheusGauge: PrometheusSeries, MeterHandler {
  private let value = AtomicDouble()

  var isUntouched: Bool { false }

  func set(_ value: Int64) { self.value.set(Double(value)) }
  func set(_ value: Double) { self.value.set(value) }
  func increment(by amount: Double) { value.add(amount) }
  func decrement(by amount: Double) { value.add(-amount) }

  func write(_ name: String, _ labels: String, to text: inout String) {
    text.appendSample(name, labels, value.current.sampleText)
  }
}

/// The number of values up to each of some bounds, and their sum.
final class PrometheusHistogram: PrometheusSeries, RecorderHandler, TimerHandler {
  /// A class, because an array cannot contain atomics.
  private final class Bucket: Sendable {
    let count = Atomic<Int64>(0)
  }

  private let bounds: [Double]
  /// The counts of the values above the previous bound, up to the bucket's own. The last bucket has no bound.
  private let buckets: [Bucket]
  private let sum = AtomicDouble()

  init(_ bounds: [Double]) {
    self.bounds = bounds
    buckets = (0...bounds.count).map { _ in Bucket() }
  }

  var isUntouched: Bool { buckets.allSatisfy { $0.count.load(ordering: .relaxed) == 0 } }

  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    buckets[bounds.firstIndex { value <= $0 } ?? bounds.count].count.wrappingAdd(1, ordering: .relaxed)
    sum.add(value)
  }

  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

  func write(_ name: String, _ labels: String, to text: inout String) {
    let separator = labels.isEmpty ? "" : ","
    var count: Int64 = 0
    for (number, bucket) in buckets.enumerated() {
      count += bucket.count.load(ordering: .relaxed)
      let bound = number < bounds.count ? bounds[number].sampleText : "+Inf"
      text.appendSample(name + "_bucket", "\(labels)\(separator)le=\"\(bound)\"", String(count))
    }
    text.appendSample(name + "_sum", labels, sum.current.sampleText)
    // The same as the last bucket, even while values are recorded.
    text.appendSample(name + "_count", labels, String(count))
  }
}

/// A floating-point number that several threads change.
private final class AtomicDouble: Sendable {
  private let bits = Atomic<UInt64>(0)

  var current: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

  func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

  func add(_ amount: Double) {
    var old = bits.load(ordering: .relaxed)
    while true {
      let new = (Double(bitPattern: old) + amount).bitPattern
      let result = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
      if result.exchanged { return }
      old = result.original
    }
  }
}

extension String {
  fileprivate mutating func appendSample(_ name: String, _ labels: String, _ value: String) {
    self += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
  }
}

extension Double {
  /// The number without ".0", or the special values by their names.
  fileprivate var sampleText: String {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Inf" : "+Inf" }
    return self == rounded() && magnitude < 1e15 ? String(Int64(self)) : String(self)
  }
}
