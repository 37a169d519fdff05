import ToDoModel
import ToDoSupport

extension Session {
  /// Saves an item while its address is geocoded. If no coordinate is found, prompts whether to save the item without one.
  ///
  /// - Parameters:
  ///   - address: the address that the request contains, if any.
  ///   - body: sends the request. Its argument states whether the service may save the item without a coordinate.
  /// - Throws: `Failure` with the status `notFound` if the item is not saved for lack of a coordinate.
  func save<Value>(
    geocoding address: String?, _ body: (_ withoutCoordinate: Bool) async throws -> Value
  ) async throws -> Value {
    do {
      // With '--yes' no prompt follows, so the service geocodes the address only once.
      return try await body(options.yes)
    } catch ToDoError.addressNotFound(let violations) {
      let failure = Failure(ToDoError.addressNotFound(violations))
      return try await saveWithoutCoordinate("no coordinates found for \(quoted(address))", failure, body)
    } catch ToDoError.geocoderUnavailable(let detail) {
      let failure = Failure(ToDoError.geocoderUnavailable(detail: detail))
      let reason =
        "no coordinates found for \(quoted(address)): the geocoder is unavailable, \(detail.escapingControls())"
      return try await saveWithoutCoordinate(reason, failure, body)
    }
  }

  private func quoted(_ address: String?) -> String {
    address.map { "'\($0.escapingControls())'" } ?? "the address"
  }

  private func saveWithoutCoordinate<Value>(
    _ reason: String, _ failure: Failure, _ body: (Bool) async throws -> Value
  ) async throws -> Value {
    guard canPrompt else {
      var failure = failure
      failure.message = reason
      failure.fields = []
      failure.details = ["Use '--yes' to save without coordinates, or '--at' to specify them."]
      failure.status = .notFound
      throw failure
    }
    guard try confirm("\(reason.prefix(1).uppercased() + reason.dropFirst()). Save without coordinates?") else {
      printNotice("Nothing was saved.")
      throw ExitStatus.notFound
    }
    return try await body(true)
  }
}
