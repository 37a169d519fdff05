/// Where a report goes, in which form.
struct ReportOutput: Equatable, Sendable {
  enum Format: Equatable, Sendable {
    case text, json, csv
  }

  /// What is printed.
  var printed: Format
  /// A file, besides.
  var file: File?

  struct File: Equatable, Sendable {
    var path: String
    var format: Format
  }
}

extension ReportOutput {
  /// - Throws: `UsageError`.
  init(_ options: ReportOptions) throws {
    guard !options.json || !options.csv else { throw UsageError("'--json' and '--csv' cannot be combined") }
    let asked: Format? = options.json ? .json : options.csv ? .csv : nil
    file = options.output.map { File(path: $0, format: asked ?? Self.format(ofFile: $0)) }
    // A form for programs that goes to a file leaves the one for people to the terminal.
    printed = file == nil ? asked ?? .text : .text
  }

  private static func format(ofFile path: String) -> Format {
    if path.hasSuffix(".json") { .json } else if path.hasSuffix(".csv") { .csv } else { .text }
  }
}

extension LoadReport {
  func rendered(_ format: ReportOutput.Format) -> String {
    switch format {
    case .text: text()
    case .json: json
    case .csv: csv
    }
  }
}
