import Foundation
import Testing

@testable import ToDoScreens

@Suite struct ScreenModelTests {
  /// The number of random steps. The long form has a million, and runs by hand: `SCREEN_STEPS=1000000`.
  private static let steps = ProcessInfo.processInfo.environment["SCREEN_STEPS"].flatMap(Int.init) ?? 2_000
  private static let seeds = 4

  /// The window is compared after every tenth step, because painting it takes longer than the step.
  @Test(arguments: 1...seeds) func screens_afterRandomEvents_areValid(seed: Int) {
    var model = ScreenModel(seed: UInt64(seed))
    for step in 0..<(Self.steps / Self.seeds) {
      model.step()
      let violation = model.violation
      if violation == nil, !step.isMultiple(of: 10) || model.drawsTheState() { continue }
      Issue.record("step \(step) with seed \(seed), \(model.bench.stack): \(violation ?? "the window differs")")
      return
    }
  }
}
