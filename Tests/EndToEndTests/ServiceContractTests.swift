import Testing
import ToDoTestSupport

/// Whoever holds a `ToDoService` cannot tell where it is.
@Suite(.timeLimited) struct ServiceContractTests {
  @Test(arguments: ServiceContract.rules, Arrangement.inProcess)
  func memory(_ rule: ContractRule<ServiceContract.Subject>, _ arrangement: Arrangement) async throws {
    try await arrangement.check(rule, .memory)
  }

  @Test(arguments: ServiceContract.rules, Arrangement.overSockets)
  func memoryOverSockets(_ rule: ContractRule<ServiceContract.Subject>, _ arrangement: Arrangement) async throws {
    try await arrangement.check(rule, .memory)
  }

  @Test(arguments: ServiceContract.rules, Arrangement.inProcess)
  func sqlite(_ rule: ContractRule<ServiceContract.Subject>, _ arrangement: Arrangement) async throws {
    try await arrangement.check(rule, .sqlite)
  }

  @Test(arguments: ServiceContract.rules, Arrangement.overSockets)
  func sqliteOverSockets(_ rule: ContractRule<ServiceContract.Subject>, _ arrangement: Arrangement) async throws {
    try await arrangement.check(rule, .sqlite)
  }

  #if GRPC
  @Test(arguments: ServiceContract.rules)
  func memoryOverGRPC(_ rule: ContractRule<ServiceContract.Subject>) async throws {
    try await Arrangement.grpc.check(rule, .memory)
  }

  @Test(arguments: ServiceContract.rules)
  func sqliteOverGRPC(_ rule: ContractRule<ServiceContract.Subject>) async throws {
    try await Arrangement.grpc.check(rule, .sqlite)
  }
  #endif
}
