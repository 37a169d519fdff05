import Testing
import ToDoTestSupport

@testable import todo_load

/// Compares reports with the files in Golden. A run with `UPDATE_GOLDEN=1` updates the files.
@Suite struct LoadReportTests {
  @Test func text_matchesGoldenFiles() throws {
    try GoldenFile("closed.txt").expect(LoadReport.sample.text())
    try GoldenFile("full.txt").expect(LoadReport.fullSample.text())
  }

  @Test func json_matchesGoldenFiles() throws {
    try GoldenFile("closed.json").expect(LoadReport.sample.json)
    try GoldenFile("full.json").expect(LoadReport.fullSample.json)
  }

  @Test func csv_matchesGoldenFiles() throws {
    try GoldenFile("closed.csv").expect(LoadReport.sample.csv)
    try GoldenFile("full.csv").expect(LoadReport.fullSample.csv)
  }

  @Test(arguments: [LoadReport.sample, .fullSample])
  func csv_hasCellForEachName(report: LoadReport) {
    let lines = report.csv.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(Set(lines.map(\.count)).count == 1)
  }

  @Test(arguments: [LoadReport.Ending.interrupted, .serverLost])
  func text_whenRunEndedEarly_statesReason(ending: LoadReport.Ending) {
    var report = LoadReport.sample
    report.ending = ending
    #expect(report.text().contains(ending == .interrupted ? "Interrupted" : "The server became unreachable"))
  }

  @Test func report_whenThereAreNoRequests_isRendered() {
    var report = LoadReport.sample
    (report.requests, report.elapsed, report.errors) = (0, 0, [])
    (report.fromDue, report.fromSend, report.bars) = (LatencySummary(), LatencySummary(), LatencyBars(.of([:])))
    #expect(report.text().contains("requests    0, 0 per second"))
    #expect(report.json.contains("\"requests\" : 0"))
    #expect(report.csv.contains("all,0,0,0.0"))
  }
}
