import TestSupport
import Testing

/// Whoever holds a `ToDoService` cannot tell where it is.
///
/// One at a time with each store: all at once, hundreds of servers would keep each other waiting for longer than their
/// clients do.
@Suite(.timeLimited) struct ServiceContractTests {
  @Test(.serialized, arguments: ServiceContract.rules, Arrangement.allCases)
  func memory(_ rule: ContractRule<ServiceContract.Subject>, _ arrangement: Arrangement) async throws {
    try await arrangement.check(rule, .memory)
  }

  @Test(.serialized, arguments: ServiceContract.rules, Arrangement.allCases)
  func sqlite(_ rule: ContractRule<ServiceContract.Subject>, _ arrangement: Arrangement) async throws {
    try await arrangement.check(rule, .sqlite)
  }
}
