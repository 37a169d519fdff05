/// The destinations and formats of a report.
struct ReportOutput: Equatable, Sendable {
  enum Format: Equatable, Sendable {
    case text, json, csv
  }

  /// The format of the report on standard output.
  var printed: Format
  /// The file to which the report is written in addition.
  var file: File?

  struct File: Equatable, Sendable {
    var path: String
    var format: Format
  }
}

extension ReportOutput {
  /// - Throws: `UsageError` if two formats are requested.
  init(_ options: ReportOptions) throws {
    guard !options.json || !options.csv else { throw UsageError("'--json' and '--csv' cannot be combined; omit one") }
    let requested: Format? = options.json ? .json : options.csv ? .csv : nil
    file = options.output.map { File(path: $0, format: requested ?? Self.format(ofFile: $0)) }
    // A requested format applies to the file if there is one; standard output then gets the text format.
    printed = file == nil ? requested ?? .text : .text
  }

  private static func format(ofFile path: String) -> Format {
    if path.hasSuffix(".json") { .json } else if path.hasSuffix(".csv") { .csv } else { .text }
  }
}

extension LoadReport {
  /// Returns the report in a format.
  func rendered(_ format: ReportOutput.Format) -> String {
    switch format {
    case .text: text()
    case .json: json
    case .csv: csv
    }
  }
}
