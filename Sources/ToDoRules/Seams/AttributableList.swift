package import ToDoModel

/// A list whose changes record who made them.
package protocol AttributableList: ToDoService {
  /// Returns the same list, with changes that are recorded as those of a user and a client.
  ///
  /// - Parameter right: the right to make the changes; `nil` if nothing can end it.
  func attributed(to origin: ChangeOrigin, under right: WriteRight?) -> Self
}

extension AttributableList {
  /// Returns the same list, with changes that are recorded as those of a user and a client, and that nothing can end.
  package func attributed(to origin: ChangeOrigin) -> Self { attributed(to: origin, under: nil) }
}

/// A list in the same process as its server, with everything that the server uses besides its operations.
package typealias ServedList = AttributableList & CachedReads & WriteAdmission

extension LocalToDoService: AttributableList {
  package func attributed(to origin: ChangeOrigin, under right: WriteRight?) -> LocalToDoService {
    var list = self
    list.origin = origin
    list.right = right
    return list
  }
}
