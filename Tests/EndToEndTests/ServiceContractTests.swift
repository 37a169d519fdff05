import TestSupport
import Testing

/// Whoever holds a `ToDoService` cannot tell where it is.
@Suite struct ServiceContractTests {
  @Test(arguments: ServiceContract.rules, Arrangement.allCases)
  func memory(_ rule: ContractRule<ServiceContract.Subject>, _ arrangement: Arrangement) async throws {
    try await arrangement.check(rule, .memory)
  }

  @Test(arguments: ServiceContract.rules, Arrangement.allCases)
  func sqlite(_ rule: ContractRule<ServiceContract.Subject>, _ arrangement: Arrangement) async throws {
    try await arrangement.check(rule, .sqlite)
  }
}
