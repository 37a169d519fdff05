package import ToDoModel

/// A list whose changes record who made them.
package protocol AttributableList: ToDoService {
  /// Returns the same list, with changes that are recorded as those of a user and a client.
  func attributed(to origin: ChangeOrigin) -> Self
}

/// A list in the same process as its server, with everything that the server uses besides its operations.
package typealias ServedList = AttributableList & CachedReads & WriteAdmission

extension LocalToDoService: AttributableList {
  package func attributed(to origin: ChangeOrigin) -> LocalToDoService {
    var list = self
    list.origin = origin
    return list
  }
}
