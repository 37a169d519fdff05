import Histogram
import Testing
import ToDoModel

@testable import todo_load

@Suite struct DeliveryTrackerTests {
  @Test func delivery_afterAcknowledgement_recordsDelay() {
    var tracker = DeliveryTracker(watchers: 2)
    tracker.recordAcknowledgement(of: Revision(5), isMeasured: true, at: 100)
    tracker.recordDelivery(of: Revision(5), at: 130)
    #expect(tracker.missing == 1)
    tracker.recordDelivery(of: Revision(5), at: 150)
    #expect(tracker.missing == 0)
    #expect(LatencySummary(tracker.latencies).max == 50)
    #expect(tracker.latencies.totalCount == 2)
  }

  @Test func delivery_beforeAcknowledgement_recordsZero() {
    var tracker = DeliveryTracker(watchers: 2)
    tracker.recordDelivery(of: Revision(5), at: 90)
    tracker.recordAcknowledgement(of: Revision(5), isMeasured: true, at: 100)
    tracker.recordDelivery(of: Revision(5), at: 110)
    #expect(tracker.latencies.totalCount == 2)
    #expect(LatencySummary(tracker.latencies).max == 10)
    #expect(tracker.missing == 0)
  }

  @Test func acknowledgements_inAnyOrder_areCounted() {
    var tracker = DeliveryTracker(watchers: 1)
    tracker.recordAcknowledgement(of: Revision(6), isMeasured: true, at: 100)
    tracker.recordAcknowledgement(of: Revision(5), isMeasured: true, at: 101)
    tracker.recordDelivery(of: Revision(5), at: 110)
    tracker.recordDelivery(of: Revision(6), at: 111)
    #expect(tracker.latencies.totalCount == 2)
    #expect(tracker.missing == 0)
  }

  @Test func acknowledgement_inWarmUp_isNotCounted() {
    var tracker = DeliveryTracker(watchers: 1)
    tracker.recordAcknowledgement(of: Revision(5), isMeasured: false, at: 100)
    #expect(tracker.missing == 0)
    tracker.recordDelivery(of: Revision(5), at: 110)
    #expect(tracker.latencies.totalCount == 0)
  }

  @Test func acknowledgement_whenWriteChangedNothing_isNotCounted() {
    var tracker = DeliveryTracker(watchers: 1)
    tracker.recordAcknowledgement(of: Revision(5), isMeasured: true, at: 100)
    tracker.recordAcknowledgement(of: Revision(5), isMeasured: true, at: 105)
    tracker.recordDelivery(of: Revision(5), at: 110)
    tracker.recordAcknowledgement(of: Revision(5), isMeasured: true, at: 120)
    #expect(tracker.latencies.totalCount == 1)
    #expect(tracker.missing == 0)
  }

  @Test func tracker_whenLimitIsExceeded_countsDiscardedAsMissing() {
    var tracker = DeliveryTracker(watchers: 2, limit: 100)
    tracker.recordAcknowledgement(of: Revision(1), isMeasured: true, at: 1)
    for number in 2..<10_000 { tracker.recordDelivery(of: Revision(Int64(number)), at: 2) }
    #expect(tracker.missing == 2)
    tracker.recordDelivery(of: Revision(1), at: 3)
    #expect(tracker.missing == 2)
  }
}
