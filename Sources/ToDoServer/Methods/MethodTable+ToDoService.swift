package import RPC
package import ToDoModel
import ToDoProtocol

extension MethodTable {
  /// Creates the table of all methods of a server.
  ///
  /// - Parameters:
  ///   - limits: the limits that `GetServerInfo` returns.
  ///   - pageCacheSize: the approximate size of the cache of encoded pages, in bytes.
  ///   - additional: further methods, for tests.
  package init(
    serving access: any AccessControl, health: HealthMonitor, limits: ServerLimits = ServerLimits(),
    pageCacheSize: Int = ToDoServer.Configuration.defaultPageCacheSize,
    interceptors: [any Interceptor] = [],
    additional: [ServerMethod] = []
  ) {
    let info = ToDoMethods.getServerInfo(frameLength: limits.maximumFrameLength, calls: limits.maximumStreams)
    self.init(
      ServerMethod.toDo(access, info, EncodedPageCache(size: pageCacheSize)) + ServerMethod.health(health) + [
        .cancelCall, .authenticate(access),
      ] + additional, interceptors: interceptors)
  }

  /// Creates the table of all methods of a server that provides one list to every client.
  package init(serving service: any ToDoService, health: HealthMonitor, additional: [ServerMethod] = []) {
    self.init(serving: OpenAccess(to: service), health: health, additional: additional)
  }
}
