import FoundationEssentials

/// Code that must handle arbitrary bytes. It may reject them, but must not crash, hang or violate its invariants.
public struct FuzzTarget: Sendable {
  /// The name of the target, and of the directory of its cases.
  public let name: String
  /// Runs the target with some input. Traps if an invariant does not hold.
  public let run: @Sendable (UnsafeRawBufferPointer) -> Void

  /// All targets of this build.
  public static let all: [FuzzTarget] =
    [.frames, .envelopes, .messages, .jsonMessages, .pageTokens, .dates, .sentences, .repetitions] + overGRPC + overHTTP

  #if GRPC
  private static let overGRPC: [FuzzTarget] = [.grpcCalls, .gzip, .http2Frames]
  #else
  private static let overGRPC: [FuzzTarget] = []
  #endif

  #if HTTP
  private static let overHTTP: [FuzzTarget] = [.httpRequests]
  #else
  private static let overHTTP: [FuzzTarget] = []
  #endif

  /// Returns the target with a name, or `nil` if there is none.
  public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// The target that `FUZZ_TARGET` names.
private let selected: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
  guard let target = FuzzTarget.named(name) else {
    let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
    fatalError("unknown FUZZ_TARGET '\(name)'; valid values are \(names)")
  }
  return target
}()

/// Runs the selected target. libFuzzer calls this function for each input.
@_cdecl("todo_fuzz_one_input")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  selected.run(UnsafeRawBufferPointer(start: data, count: size))
  return 0
}
