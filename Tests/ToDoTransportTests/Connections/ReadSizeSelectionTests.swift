import Testing

@testable import ToDoTransport

/// The size of reads, which is large only while a large frame arrives.
@Suite struct ReadSizeSelectionTests {
  @Test(arguments: [(nil, .small), (0, .small), (2048, .small), (2049, .large)] as [(Int?, ReadSize)])
  func size_isLarge_onlyIfPendingFrameExceedsSmallRead(_ pending: Int?, _ size: ReadSize) {
    #expect(ReadSize(pending: pending) == size)
  }
}
