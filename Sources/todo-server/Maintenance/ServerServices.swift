import Logging
import ServiceLifecycle
import ToDoRules
import ToDoServer
import ToDoTransport
import UnixSignals

/// Serves calls until the server shuts down.
struct CallService: Service {
  let server: ToDoServer

  func run() async throws {
    try await server.run { try? await gracefulShutdown() }
  }
}

/// Ends the server if its store can no longer keep writes, because a sync failed or the database file was removed or replaced.
/// After a restart, the store contains what is on disk.
struct StoreFailureMonitor: Service {
  let store: OpenStore

  func run() async throws {
    try await cancelWhenGracefulShutdown { try await store.waitForFailure() }
    // A store in memory returns immediately, which is not a failure.
    try await gracefulShutdown()
  }
}

/// Applies changes to users and token revocations until the server shuts down.
struct AccountMonitor: Service {
  let access: AccountAccess

  func run() async {
    await cancelWhenGracefulShutdown { await access.monitorAccounts() }
  }
}

/// Reloads the certificate on SIGHUP. Without a certificate, SIGHUP has no effect.
struct HangupHandler: Service {
  let hangups: UnixSignalsSequence
  let tls: ServerTLS?
  let logger: Logger

  func run() async {
    await cancelWhenGracefulShutdown {
      for await _ in hangups {
        guard let tls else {
          logger.notice("SIGHUP was ignored, because there is no certificate to reload")
          continue
        }
        do {
          try tls.reload()
          logger.info("the certificate was reloaded")
        } catch {
          logger.error("the certificate was not reloaded; the server continues with the previous one: \(error)")
        }
      }
    }
  }
}

/// Geocodes items without a coordinate until the server shuts down.
struct CoordinateResolverService: Service {
  let resolver: CoordinateResolver

  func run() async {
    await cancelWhenGracefulShutdown { await resolver.run() }
  }
}
