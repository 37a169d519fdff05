import CoreMetrics
import ToDoRules

/// Measures the commits of a store: `todo_commit_duration` and `todo_commit_writes`, by result, and
/// `todo_commit_undeclared_reads`.
struct WriteGroupMetrics: WriteGroupObserver {
  private struct ByResult {
    let duration: CoreMetrics.Timer
    let writes: Recorder

    init(_ result: String, _ factory: any MetricsFactory) {
      let dimensions = [("result", result)]
      duration = CoreMetrics.Timer(label: "todo_commit_duration", dimensions: dimensions, factory: factory)
      writes = Recorder(label: "todo_commit_writes", dimensions: dimensions, aggregate: true, factory: factory)
    }
  }

  private let committed: ByResult
  private let failed: ByResult
  private let undeclaredReads: Counter

  /// - Parameter factory: the backend that receives the metrics.
  init(_ factory: any MetricsFactory) {
    committed = ByResult("committed", factory)
    failed = ByResult("failed", factory)
    undeclaredReads = Counter(label: "todo_commit_undeclared_reads", factory: factory)
  }

  func didEnd(writeCount: Int, duration: Duration, isCommitted: Bool) {
    let metrics = isCommitted ? committed : failed
    metrics.duration.record(duration)
    metrics.writes.record(writeCount)
  }

  func didReadUndeclared(count: Int) { undeclaredReads.increment(by: count) }
}
