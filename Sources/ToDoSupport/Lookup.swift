/// The result of looking a value up: the value, or the work that produces it.
///
/// A caller that must not suspend takes the value only if it is ready. Either way, nothing is looked up twice: the work
/// continues where the look-up stopped.
public enum Lookup<Value: Sendable>: Sendable {
  /// The value, which took no suspension.
  case ready(Value)
  /// The work that produces the value. It runs at most once.
  case pending(@Sendable () async throws -> Value)

  /// The value, after the work if there is any.
  public var value: Value {
    get async throws {
      switch self {
      case .ready(let value): value
      case .pending(let work): try await work()
      }
    }
  }
}
