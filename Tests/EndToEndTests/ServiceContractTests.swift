import Testing
import ToDoTestSupport

/// Whoever holds a `ToDoService` cannot tell where it is.
///
/// Every rule runs over each store and over each transport, but not over each pair, because nothing that knows the store knows
/// the transport.
@Suite(.timeLimited) struct ServiceContractTests {
  @Test(arguments: ServiceContract.rules, Arrangement.inProcess)
  func memory(_ rule: ContractRule<ServiceContract.Subject>, _ arrangement: Arrangement) async throws {
    try await arrangement.check(rule, .memory)
  }

  @Test(arguments: ServiceContract.rules)
  func memoryOverUnixSocket(_ rule: ContractRule<ServiceContract.Subject>) async throws {
    try await Arrangement.unixSocket.check(rule, .memory)
  }

  @Test(arguments: ServiceContract.rules)
  func sqlite(_ rule: ContractRule<ServiceContract.Subject>) async throws {
    try await Arrangement.direct.check(rule, .sqlite)
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
  #endif

  #if HTTP
  @Test(arguments: ServiceContract.rules)
  func memoryOverHTTP(_ rule: ContractRule<ServiceContract.Subject>) async throws {
    try await Arrangement.http.check(rule, .memory)
  }

  @Test(arguments: ServiceContract.rules)
  func memoryOverGRPCOnHTTPPort(_ rule: ContractRule<ServiceContract.Subject>) async throws {
    try await Arrangement.grpcOverHTTP.check(rule, .memory)
  }

  @Test(arguments: ServiceContract.rules)
  func memoryOverGRPCWeb(_ rule: ContractRule<ServiceContract.Subject>) async throws {
    try await Arrangement.grpcWeb.check(rule, .memory)
  }
  #endif
  // MARK: Lists

  @Test(arguments: ServiceContract.listRules)
  func lists_inMemory(_ rule: ContractRule<ServiceContract.Users>) async throws {
    try await Arrangement.direct.check(rule, .memory)
  }

  @Test(arguments: ServiceContract.listRules)
  func lists_inSQLite(_ rule: ContractRule<ServiceContract.Users>) async throws {
    try await Arrangement.direct.check(rule, .sqlite)
  }

  @Test(arguments: ServiceContract.listRules)
  func lists_inSQLiteOverTCP(_ rule: ContractRule<ServiceContract.Users>) async throws {
    try await Arrangement.tcp.check(rule, .sqlite)
  }

  #if GRPC
  @Test(arguments: ServiceContract.listRules)
  func lists_overGRPC(_ rule: ContractRule<ServiceContract.Users>) async throws {
    try await Arrangement.grpc.check(rule, .memory)
  }
  #endif

  #if HTTP
  @Test(arguments: ServiceContract.listRules, Arrangement.overHTTP)
  func lists_overHTTP(_ rule: ContractRule<ServiceContract.Users>, _ arrangement: Arrangement) async throws {
    try await arrangement.check(rule, .memory)
  }
  #endif

  // MARK: Reminders

  @Test(arguments: ServiceContract.reminderRules, StoreKind.allCases)
  func reminders_inStores(_ rule: ContractRule<ServiceContract.RemindedUsers>, _ store: StoreKind) async throws {
    try await Arrangement.direct.check(rule, store)
  }

  @Test(arguments: ServiceContract.reminderRules, Arrangement.served)
  func reminders_served(_ rule: ContractRule<ServiceContract.RemindedUsers>, _ arrangement: Arrangement) async throws {
    try await arrangement.check(rule, .memory)
  }
}
