import Histogram
import Testing
import ToDoModel

@testable import todo_load

@Suite struct DeliveryLedgerTests {
  @Test func delivery_isCountedFromTheAnswer() {
    var ledger = DeliveryLedger(watchers: 2)
    ledger.acknowledged(Revision(5), isMeasured: true, at: 100)
    ledger.delivered(Revision(5), at: 130)
    #expect(ledger.missing == 1)
    ledger.delivered(Revision(5), at: 150)
    #expect(ledger.missing == 0)
    #expect(LatencySummary(ledger.latencies).max == 50)
    #expect(ledger.latencies.totalCount == 2)
  }

  @Test func delivery_beforeTheAnswer_tookNoTime() {
    var ledger = DeliveryLedger(watchers: 2)
    ledger.delivered(Revision(5), at: 90)
    ledger.acknowledged(Revision(5), isMeasured: true, at: 100)
    ledger.delivered(Revision(5), at: 110)
    #expect(ledger.latencies.totalCount == 2)
    #expect(LatencySummary(ledger.latencies).max == 10)
    #expect(ledger.missing == 0)
  }

  @Test func answers_inAnyOrder_areCounted() {
    var ledger = DeliveryLedger(watchers: 1)
    ledger.acknowledged(Revision(6), isMeasured: true, at: 100)
    ledger.acknowledged(Revision(5), isMeasured: true, at: 101)
    ledger.delivered(Revision(5), at: 110)
    ledger.delivered(Revision(6), at: 111)
    #expect(ledger.latencies.totalCount == 2)
    #expect(ledger.missing == 0)
  }

  @Test func warmUp_isNotCounted() {
    var ledger = DeliveryLedger(watchers: 1)
    ledger.acknowledged(Revision(5), isMeasured: false, at: 100)
    #expect(ledger.missing == 0)
    ledger.delivered(Revision(5), at: 110)
    #expect(ledger.latencies.totalCount == 0)
  }

  @Test func answer_whenTheWriteChangedNothing_isNotCounted() {
    var ledger = DeliveryLedger(watchers: 1)
    ledger.acknowledged(Revision(5), isMeasured: true, at: 100)
    ledger.acknowledged(Revision(5), isMeasured: true, at: 105)
    ledger.delivered(Revision(5), at: 110)
    ledger.acknowledged(Revision(5), isMeasured: true, at: 120)
    #expect(ledger.latencies.totalCount == 1)
    #expect(ledger.missing == 0)
  }

  @Test func ledger_whenOthersWriteMuch_staysSmallAndCountsWhatIsMissing() {
    var ledger = DeliveryLedger(watchers: 2, limit: 100)
    ledger.acknowledged(Revision(1), isMeasured: true, at: 1)
    for number in 2..<10_000 { ledger.delivered(Revision(Int64(number)), at: 2) }
    #expect(ledger.missing == 2)
    ledger.delivered(Revision(1), at: 3)
    #expect(ledger.missing == 2)
  }
}
