public import Testing

/// One rule that a protocol's implementations keep, with its check.
///
/// A contract is an array of rules, so that one parameterized test runs all of them against an implementation. Its parts are
/// computed properties, because the compiler checks the closures of stored ones twice, and other modules wait for it:
///
///     @Test(arguments: StoreContract.rules)
///     func memory(_ rule: ContractRule<any ToDoItemStore>) async throws { try await rule.check(MemoryToDoItemStore()) }
public struct ContractRule<Subject>: Sendable, CustomTestStringConvertible {
  /// The rule as a sentence.
  public let name: String
  /// Checks a subject, and records an issue for each violation. A subject is checked once: each rule needs a new one.
  public let check: @Sendable (Subject) async throws -> Void

  /// Creates a rule.
  public init(_ name: String, _ check: @escaping @Sendable (Subject) async throws -> Void) {
    self.name = name
    self.check = check
  }

  /// The name, with which test reports show the rule.
  public var testDescription: String { name }
}
