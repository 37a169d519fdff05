import TestSupport
import Testing

@testable import todo_load

/// Reports are what the files in Golden hold; a run with `UPDATE_GOLDEN=1` writes them anew.
@Suite struct LoadReportTests {
  @Test func text_isAsRecorded() throws {
    try GoldenFile("closed.txt").expect(LoadReport.sample.text())
    try GoldenFile("full.txt").expect(LoadReport.fullSample.text())
  }

  @Test func json_isAsRecorded() throws {
    try GoldenFile("closed.json").expect(LoadReport.sample.json)
    try GoldenFile("full.json").expect(LoadReport.fullSample.json)
  }

  @Test func csv_isAsRecorded() throws {
    try GoldenFile("closed.csv").expect(LoadReport.sample.csv)
    try GoldenFile("full.csv").expect(LoadReport.fullSample.csv)
  }

  @Test(arguments: [LoadReport.sample, .fullSample])
  func csv_hasACellForEachName(report: LoadReport) {
    let lines = report.csv.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(Set(lines.map(\.count)).count == 1)
  }

  @Test(arguments: [LoadReport.Ending.interrupted, .serverLost])
  func text_whenTheRunEndedEarly_saysSo(ending: LoadReport.Ending) {
    var report = LoadReport.sample
    report.ending = ending
    #expect(report.text().contains(ending == .interrupted ? "Interrupted" : "The server went away"))
  }

  @Test func report_ofNothing_canBeRendered() {
    var report = LoadReport.sample
    (report.requests, report.elapsed, report.errors) = (0, 0, [])
    (report.fromDue, report.fromSend, report.bars) = (LatencySummary(), LatencySummary(), LatencyBars(.of([:])))
    #expect(report.text().contains("requests    0, 0 a second"))
    #expect(report.json.contains("\"requests\" : 0"))
    #expect(report.csv.contains("all,0,0,0.0"))
  }
}
