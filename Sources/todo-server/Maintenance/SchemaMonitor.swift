import Logging
import ServiceLifecycle
import ToDoServer

/// Reports through the health service whether writes fail because another version of this program has migrated the
/// database, or because another store was copied into it.
struct SchemaMonitor: Service {
  let store: OpenStore
  let server: ToDoServer
  let logger: Logger

  func run() async {
    await cancelWhenGracefulShutdown {
      var wasCurrent = true
      repeat {
        // If the database cannot be read, its schema is unknown, and the previous result remains.
        let isCurrent = (try? await store.isSchemaCurrent()) ?? wasCurrent
        if isCurrent != wasCurrent { report(isCurrent) }
        wasCurrent = isCurrent
      } while (try? await Task.sleep(for: .seconds(1))) != nil
    }
  }

  private func report(_ isCurrent: Bool) {
    server.setStoreUsable(isCurrent)
    if isCurrent {
      logger.notice("the database has this server's schema again")
    } else {
      logger.critical(
        "every write fails, because another version of this program has migrated the database, or another store was copied into it; restart the server with the database's version"
      )
    }
  }
}
