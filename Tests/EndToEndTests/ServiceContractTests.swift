import Testing
import ToDoTestSupport

/// Whoever holds a `ToDoService` cannot tell where it is.
///
/// Each store is over one kind of socket, because nothing that knows the store knows the kind: TCP and Unix sockets differ
/// only in how they are opened.
@Suite(.timeLimited) struct ServiceContractTests {
  @Test(arguments: ServiceContract.rules, Arrangement.inProcess)
  func memory(_ rule: ContractRule<ServiceContract.Subject>, _ arrangement: Arrangement) async throws {
    try await arrangement.check(rule, .memory)
  }

  @Test(arguments: ServiceContract.rules)
  func memoryOverUnixSocket(_ rule: ContractRule<ServiceContract.Subject>) async throws {
    try await Arrangement.unixSocket.check(rule, .memory)
  }

  @Test(arguments: ServiceContract.rules, Arrangement.inProcess)
  func sqlite(_ rule: ContractRule<ServiceContract.Subject>, _ arrangement: Arrangement) async throws {
    try await arrangement.check(rule, .sqlite)
  }

  @Test(arguments: ServiceContract.rules)
  func sqliteOverTCP(_ rule: ContractRule<ServiceContract.Subject>) async throws {
    try await Arrangement.tcp.check(rule, .sqlite)
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
