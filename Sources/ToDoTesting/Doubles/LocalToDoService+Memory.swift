public import ToDoModel
public import ToDoRules
import ToDoStores

extension LocalToDoService {
  /// Returns the service of an empty list in memory, for tests of code that uses a `ToDoService`.
  ///
  /// - Parameters:
  ///   - geocoder: resolves addresses to coordinates; `nil` disables geocoding.
  ///   - clock: determines the times of changes.
  public static func inMemory(
    geocoder: (any Geocoder)? = nil, clock: any WallClock = SystemWallClock()
  ) -> LocalToDoService {
    LocalToDoService(store: MemoryToDoItemStore(), geocoder: geocoder, clock: clock)
  }
}
