#if HTTP
/// Joins the page's modules into one, which a browser gets with one request instead of one for each.
///
/// A module becomes a function that returns its exports, so modules may use the same names. The page uses two forms of
/// modules: `import { a, b } from "./name.js";`, and declarations that begin with `export`.
struct PageModules {
  private let texts: [String: String]
  private var names: Set<String> = []
  private var joined = ""

  private init(_ texts: [String: String]) {
    self.texts = texts
  }

  /// Returns a module with all modules that it imports.
  ///
  /// - Parameter texts: the modules by the names of their files.
  static func join(_ texts: [String: String], from root: String) -> String {
    var modules = PageModules(texts)
    modules.append(root)
    return modules.joined
  }

  /// Appends a module after those that it imports, unless it is there already.
  private mutating func append(_ name: String) {
    guard let text = texts[name], names.insert(name).inserted else { return }
    let module = PageModule(text)
    for imported in module.imports { append(imported) }
    joined += """
      const \(Self.variable(of: name)) = (() => {
      \(module.lines.joined(separator: "\n"))
      return { \(module.exports.joined(separator: ", ")) };
      })();

      """
  }

  /// Returns the variable with the exports of a module. Modules have no such names themselves.
  fileprivate static func variable(of name: String) -> String {
    "$" + String(name.prefix { $0 != "." }.map { $0 == "-" ? "_" : $0 })
  }
}

/// A module's parts.
private struct PageModule {
  /// The names of the files that it imports.
  private(set) var imports: [String] = []
  /// The names of the declarations that it exports.
  private(set) var exports: [Substring] = []
  /// The lines, with constants instead of imports, and without `export`.
  private(set) var lines: [String] = []

  init(_ text: String) {
    var statement = ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix("import ") || !statement.isEmpty {
        statement += line
        guard line.hasSuffix(";") else { continue }
        readImport(statement)
        statement = ""
      } else if line.hasPrefix("export ") {
        readExport(line.dropFirst("export ".count))
      } else {
        lines.append(String(line))
      }
    }
  }

  private mutating func readImport(_ statement: String) {
    let parts = statement.split { "{}\"".contains($0) }
    guard parts.count > 3 else { return }
    let name = String(parts[3].drop { "./".contains($0) })
    imports.append(name)
    lines.append("const {\(parts[1])} = \(PageModules.variable(of: name));")
  }

  private mutating func readExport(_ declaration: Substring) {
    let words = declaration.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    exports += words.drop { ["async", "class", "const", "function"].contains($0) }.prefix(1)
    lines.append(String(declaration))
  }
}
#endif
