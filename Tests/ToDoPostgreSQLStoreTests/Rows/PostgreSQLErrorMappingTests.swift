#if PostgreSQL
import ToDoPostgreSQL
import Testing
import ToDoModel

@testable import ToDoPostgreSQLStore

struct PostgreSQLErrorMappingTests {
  @Test func storeError_ofToDoError_isTheSame() {
    let error = ToDoError.revisionCompacted(oldest: Revision(3))
    #expect(ToDoError(postgreSQL: error) == error)
  }

  @Test func storeError_whenDiskIsFull_isStoreFull() {
    #expect(ToDoError(postgreSQL: failure(.diskFull, state: "53100")) == .storeFull)
  }

  @Test(arguments: [
    PostgreSQLError.Kind.lostConnection, .timedOut, .abandoned, .unavailable, .conflict, .canceled, .uniqueViolation,
    .malformedResult, .other,
  ])
  func storeError_ofAnyOtherKind_containsNeitherMessageNorStatement(kind: PostgreSQLError.Kind) {
    guard case .storeUnavailable(let detail) = ToDoError(postgreSQL: failure(kind, state: "42601")) else {
      Issue.record("\(kind) is not unavailable")
      return
    }
    #expect(!detail.contains("secret"))
    #expect(!detail.contains("SELECT"))
  }

  @Test func storeError_whenDatabaseCannotBeReached_doesNotContainItsAddress() {
    let error = PostgreSQLStoreError.cannotConnect(server: "host=secret", reason: "secret")
    #expect(ToDoError(postgreSQL: error) == .storeUnavailable(detail: "the database cannot be reached"))
  }

  private func failure(_ kind: PostgreSQLError.Kind, state: String?) -> PostgreSQLError {
    PostgreSQLError(kind, state: state, message: "secret", sql: "SELECT secret", statementIndex: 0)
  }
}
#endif
