import ArgumentParser

/// The option of commands that list items for scripts.
struct PlainOptions: ParsableArguments {
  @Flag(help: "Print one line per item, with a tab between fields.") var plain = false

  /// The values if no option is set.
  static var unset: PlainOptions {
    var options = PlainOptions()
    options.plain = false
    return options
  }

  /// - Throws: `ValidationError` if a global option selects another format.
  func validate(with options: GlobalOptions) throws {
    if plain && (options.json || options.quiet) {
      throw ValidationError("'--plain' cannot be combined with '--json' or '--quiet'")
    }
  }
}
