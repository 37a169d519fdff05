import Testing
import ToDoTestSupport

/// Whoever holds a `ToDoService` cannot tell where it is.
///
/// Each test checks one rule at a time: all at once, hundreds of servers would keep each other waiting for longer than their
/// clients do.
@Suite(.timeLimited) struct ServiceContractTests {
  @Test(.serialized, arguments: ServiceContract.rules, Arrangement.inProcess)
  func memory(_ rule: ContractRule<ServiceContract.Subject>, _ arrangement: Arrangement) async throws {
    try await arrangement.check(rule, .memory)
  }

  @Test(.serialized, arguments: ServiceContract.rules, Arrangement.overSockets)
  func memoryOverSockets(_ rule: ContractRule<ServiceContract.Subject>, _ arrangement: Arrangement) async throws {
    try await arrangement.check(rule, .memory)
  }

  @Test(.serialized, arguments: ServiceContract.rules, Arrangement.inProcess)
  func sqlite(_ rule: ContractRule<ServiceContract.Subject>, _ arrangement: Arrangement) async throws {
    try await arrangement.check(rule, .sqlite)
  }

  @Test(.serialized, arguments: ServiceContract.rules, Arrangement.overSockets)
  func sqliteOverSockets(_ rule: ContractRule<ServiceContract.Subject>, _ arrangement: Arrangement) async throws {
    try await arrangement.check(rule, .sqlite)
  }

  #if GRPC
  @Test(.serialized, arguments: ServiceContract.rules)
  func memoryOverGRPC(_ rule: ContractRule<ServiceContract.Subject>) async throws {
    try await Arrangement.grpc.check(rule, .memory)
  }

  @Test(.serialized, arguments: ServiceContract.rules)
  func sqliteOverGRPC(_ rule: ContractRule<ServiceContract.Subject>) async throws {
    try await Arrangement.grpc.check(rule, .sqlite)
  }
  #endif
}
