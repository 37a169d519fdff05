import ArgumentParser

/// A group of options that few command lines contain.
protocol RareOptions: ParsableArguments, Sendable {
  /// The names of the options.
  static var names: [String] { get }

  /// The values if no option is set.
  static var unset: Self { get }
}

/// A group that declares its options only if the arguments contain one of them.
///
/// ArgumentParser prepares every declared option of a command, which takes longer than the rest of a short command.
struct Rare<Options: RareOptions>: ParsableArguments, CustomReflectable, Sendable {
  @OptionGroup var options: Options

  private enum CodingKeys: CodingKey {
    case options
  }

  init() {}

  init(from decoder: any Decoder) throws {
    if Self.isAbsent {
      options = .unset
    } else {
      _options = try decoder.container(keyedBy: CodingKeys.self).decode(OptionGroup<Options>.self, forKey: .options)
    }
  }

  /// ArgumentParser finds declarations by reflection.
  var customMirror: Mirror {
    Mirror(self, children: Self.isAbsent ? [:] : ["_options": _options], displayStyle: .struct)
  }

  private static var isAbsent: Bool {
    guard let given = GivenNames.all else { return false }
    return !Options.names.contains(where: given.contains)
  }
}

/// The names of options in the arguments that are parsed.
enum GivenNames {
  /// `nil` if every option must be declared, as for help.
  @TaskLocal static var all: Set<String>?

  /// Returns whatever can be the name of an option.
  static func names(in arguments: [String]) -> Set<String> {
    Set(arguments.lazy.filter { $0.hasPrefix("-") }.map { String($0.prefix { $0 != "=" }) })
  }
}
