package import ToDoModel
import ToDoProtocol
package import ToDoRPC

extension MethodTable {
  /// Creates the method table of a server.
  ///
  /// - Parameters:
  ///   - limits: the limits that `GetServerInfo` returns, unless the caller's connection has a lower one.
  ///   - pageCacheSize: the approximate size of the encoded-page cache, in bytes.
  ///   - turns: the turns of large responses. By default, one list response is encoded while another is read.
  ///   - quickAdd: reads sentences about items.
  ///   - observability: the backends that receive the metrics of caches and watches.
  ///   - additional: further methods, for tests.
  package init(
    serving access: any AccessControl, health: HealthMonitor, limits: ServerLimits = ServerLimits(),
    pageCacheSize: Int = ToDoServer.Configuration.defaultPageCacheSize, turns: OwnerTurns = OwnerTurns(concurrency: 2),
    quickAdd: QuickAddParser = QuickAddParser(),
    observability: Observability = Observability(), interceptors: [any Interceptor] = [],
    additional: [ServerMethod] = []
  ) {
    let pages = EncodedPageCache(size: pageCacheSize, observer: observability.pageCacheObserver)
    let methods =
      ServerMethod.toDo(access, limits, pages, turns, observability) + [.parseQuickAdd(access, quickAdd)]
      + ServerMethod.lists(access) + ServerMethod.notifications(access) + ServerMethod.positions(access)
      + ServerMethod.reminders(access) + ServerMethod.feeds(access) + ServerMethod.signIn(access)
      + ServerMethod.health(health) + [.cancelCall, .authenticate(access)]
    self.init(methods.map(\.markingSideEffects) + additional, interceptors: interceptors)
  }

  /// Creates the method table of a server that provides one list to every client.
  package init(serving service: any ToDoService, health: HealthMonitor, additional: [ServerMethod] = []) {
    self.init(serving: OpenAccess(to: service), health: health, additional: additional)
  }
}
