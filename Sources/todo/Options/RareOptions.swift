import ArgumentParser

/// A group of options that few command lines contain.
protocol RareOptions: ParsableArguments, Sendable {
  /// The names of the options.
  static var names: [String] { get }

  /// The values if no option is set.
  static var unset: Self { get }
}

/// A group that may declare no options.
protocol ConditionalGroup {
  /// Whether the group declares none for the arguments that are parsed.
  static var isAbsent: Bool { get }
}

/// A group that declares its options only if the arguments contain one of them.
///
/// ArgumentParser prepares every option that a command declares, which takes longer than the rest of a short command.
struct Rare<Options: RareOptions>: ParsableArguments, ConditionalGroup, CustomReflectable, Sendable {
  private(set) var options: Options

  init() { options = Options() }

  init(from decoder: any Decoder) throws { options = try Self.isAbsent ? .unset : Options(from: decoder) }

  mutating func validate() throws { if !Self.isAbsent { try options.validate() } }

  /// ArgumentParser finds declarations by reflection. It finds these as if they were declared here.
  var customMirror: Mirror {
    Mirror(self, children: Self.isAbsent ? [] : Array(Mirror(reflecting: options).children), displayStyle: .struct)
  }

  static var isAbsent: Bool {
    guard let given = GivenNames.all else { return false }
    return !Options.names.contains(where: given.contains)
  }
}

/// The names of options in the arguments that are parsed.
enum GivenNames {
  /// `nil` if every option must be declared, as for help.
  @TaskLocal static var all: Set<String>?

  /// Returns whatever can be an option's name.
  static func names(in arguments: [String]) -> Set<String> {
    Set(arguments.lazy.filter { $0.hasPrefix("-") }.map { String($0.prefix { $0 != "=" }) })
  }
}
