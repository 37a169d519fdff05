import ProgramSupport
import ToDoModel

extension Session {
  /// Saves something whose address is looked up; when no coordinate is found, asks whether to save it all the same.
  ///
  /// - Parameters:
  ///   - address: what is looked up, if anything.
  ///   - save: is told whether to save without a coordinate.
  /// - Throws: `Failure` with the status `notFound` when it was not saved.
  func saving<Value>(
    _ address: String?, _ save: (_ withoutCoordinate: Bool) async throws -> Value
  ) async throws -> Value {
    do {
      // Who answers every question with yes is not asked, so that the address is looked up once.
      return try await save(options.yes)
    } catch ToDoError.addressNotFound(let violations) {
      let failure = Failure(ToDoError.addressNotFound(violations))
      return try await saveAnyway("No coordinates found for \(named(address)).", failure, save)
    } catch ToDoError.geocoderUnavailable(let detail) {
      let failure = Failure(ToDoError.geocoderUnavailable(detail: detail))
      let reason =
        "No coordinates found for \(named(address)): the geocoder is unavailable, \(detail.escapingControls())."
      return try await saveAnyway(reason, failure, save)
    }
  }

  private func named(_ address: String?) -> String {
    address.map { "'\($0.escapingControls())'" } ?? "the address"
  }

  private func saveAnyway<Value>(
    _ reason: String, _ failure: Failure, _ save: (Bool) async throws -> Value
  ) async throws -> Value {
    guard canAsk else {
      var failure = failure
      failure.message = reason
      failure.fields = []
      failure.details = ["Use '--yes' to save without coordinates, or '--at' to give them."]
      failure.status = .notFound
      throw failure
    }
    guard try confirms("\(reason) Save without them?") else {
      tell("Nothing was saved.")
      throw ExitStatus.notFound
    }
    return try await save(true)
  }
}
