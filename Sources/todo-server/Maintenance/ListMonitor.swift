import Logging
import ServiceLifecycle
import ToDoModel
import ToDoRules

/// Applies the changes of lists by other processes, and purges deleted lists that have expired, until the server shuts down.
struct ListMonitor: Service {
  let directory: ListDirectory
  let logger: Logger
  var clock: any WallClock = SystemWallClock()
  /// Waits between two purges: a minute, which is short compared with the days for which a list can be restored.
  var pause: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(60)) }

  func run() async {
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        group.addTask { await directory.monitor() }
        group.addTask { await purge() }
      }
    }
  }

  private func purge() async {
    repeat {
      do {
        let count = try await directory.purgeExpired(at: clock.now())
        if count > 0 { logger.info("purged \(count) deleted list\(count == 1 ? "" : "s")") }
      } catch is CancellationError {
        return
      } catch {
        logger.warning("deleted lists that have expired were not purged; the server tries again in a minute: \(error)")
      }
    } while (try? await pause()) != nil
  }
}
