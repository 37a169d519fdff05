import FoundationEssentials

/// Something that must bear any bytes: it may refuse them, and may not crash, hang, or contradict itself.
public struct FuzzTarget: Sendable {
  public let name: String
  /// - Precondition: what must hold for any bytes; a crash is how it is told that it does not.
  public let run: @Sendable (UnsafeRawBufferPointer) -> Void

  public static let all: [FuzzTarget] = [.frames, .envelopes, .messages, .pageTokens, .dates] + overGRPC

  #if GRPC
    private static let overGRPC: [FuzzTarget] = [.grpcCalls]
  #else
    private static let overGRPC: [FuzzTarget] = []
  #endif

  public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// The target that `FUZZ_TARGET` names.
private let selected: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
  guard let target = FuzzTarget.named(name) else {
    fatalError("FUZZ_TARGET is none of \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
  }
  return target
}()

@_cdecl("todo_fuzz_one_input")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  selected.run(UnsafeRawBufferPointer(start: data, count: size))
  return 0
}
