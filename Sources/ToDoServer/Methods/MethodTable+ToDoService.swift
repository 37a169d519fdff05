package import RPC
package import ToDoModel
import ToDoProtocol

extension MethodTable {
  /// Every method that a server offers over ttrpc.
  ///
  /// - Parameters:
  ///   - limits: what clients are told about.
  ///   - pageCacheSize: about how many bytes of encoded pages are kept.
  ///   - others: methods that a test offers besides.
  package init(
    serving access: any AccessControl, health: HealthMonitor, limits: ServerLimits = ServerLimits(),
    pageCacheSize: Int = ToDoServer.Configuration.defaultPageCacheSize,
    interceptors: [any Interceptor] = [],
    besides others: [ServerMethod] = []
  ) {
    let info = ToDoMethods.getServerInfo(frameLength: limits.maximumFrameLength, calls: limits.maximumStreams)
    self.init(
      ServerMethod.toDo(access, info, EncodedPageCache(size: pageCacheSize)) + ServerMethod.health(health) + [
        .cancelCall, .authenticate(access),
      ] + others, interceptors: interceptors)
  }

  /// The same, with one list for everybody.
  package init(serving service: any ToDoService, health: HealthMonitor, besides others: [ServerMethod] = []) {
    self.init(serving: OpenAccess(to: service), health: health, besides: others)
  }
}
