import Testing

@testable import todo_load

@Suite struct CPUUsageTests {
  @Test(arguments: [
    (0.5, 0.5, 2, false), (0.95, 0.95, 2, true), (0.95, 0.8, 1, true), (1.5, 0.5, 2, false), (1.85, 0.5, 2, true),
  ])
  func isClientBound_whenThreadOrProcessorsAreSaturated_isTrue(
    process: Double, thread: Double, processors: Int, isBound: Bool
  ) {
    let usage = CPUUsage(
      client: Nanoseconds(process * 1e9), clientThread: Nanoseconds(thread * 1e9), server: nil, elapsed: .second,
      processors: processors)
    #expect(usage.isClientBound == isBound)
  }

  @Test func isClientBound_whenNoTimeElapsed_isFalse() {
    #expect(!CPUUsage(client: 5, clientThread: 5, server: nil, elapsed: 0, processors: 1).isClientBound)
  }
}
