import Testing
import ToDoModel
import ToDoRules
import ToDoTestSupport

/// The very instants at which what is retained may go.
@Suite struct ChangeRetentionTests {
  private let retention = ChangeRetention(age: .seconds(100), count: 5, deletedIDAge: .seconds(200))

  @Test(
    arguments: [(99_999_999, 10, false), (100_000_000, 10, true), (100_000_000, 9, false)] as [(Int64, Int64, Bool)])
  func allowsCompaction_fromItsAgeAndCount(_ age: Int64, _ current: Int64, _ isAllowed: Bool) {
    let allows = retention.allowsCompaction(
      changeAt: .sample(), revision: Revision(5), now: .sample(age), current: Revision(current), timeOf: { _ in nil })
    #expect(allows == isAllowed)
  }

  @Test(arguments: [(199_999_999, false), (200_000_000, true)] as [(Int64, Bool)])
  func allowsReuse_fromItsAge(_ age: Int64, _ isAllowed: Bool) {
    #expect(retention.allowsReuse(ofIDDeletedAt: .sample(), now: .sample(age)) == isAllowed)
  }
}
