import Glibc

/// The methods of a server, which are looked up by a request's bytes.
package struct MethodTable: Sendable {
  /// A table entry. It is a class, so that a lookup copies one reference instead of all properties of a method.
  package final class Entry: Sendable {
    /// The method.
    package let method: ServerMethod
    private let service, name: [UInt8]

    init(_ method: ServerMethod) {
      self.method = method
      (service, name) = (Array(method.name.service.utf8), Array(method.name.method.utf8))
    }

    func hasName(_ service: UnsafeRawBufferPointer, _ name: UnsafeRawBufferPointer) -> Bool {
      self.name.isEqual(to: name) && self.service.isEqual(to: service)
    }
  }

  private let entries: [Entry]

  /// - Parameter interceptors: The steps around the methods' calls, the outermost first.
  /// - Precondition: No name occurs twice.
  package init(_ methods: [ServerMethod], interceptors: [any Interceptor] = []) {
    precondition(Set(methods.map(\.name)).count == methods.count, "a method occurs twice")
    entries = methods.map { method in
      Entry(interceptors.reversed().reduce(method) { $1.intercept($0) })
    }
  }

  /// All methods.
  package var methods: [ServerMethod] { entries.map(\.method) }

  /// The names of all methods.
  package var names: [MethodName] { entries.map(\.method.name) }

  /// Returns the entry of a method, or `nil`. A linear search over about twenty names costs less than creating strings
  /// to hash.
  package func entry(service: UnsafeRawBufferPointer, method: UnsafeRawBufferPointer) -> Entry? {
    for entry in entries where entry.hasName(service, method) { return entry }
    return nil
  }
}

extension [UInt8] {
  fileprivate func isEqual(to bytes: UnsafeRawBufferPointer) -> Bool {
    guard count == bytes.count else { return false }
    guard let start = bytes.baseAddress else { return true }
    return withUnsafeBytes { own in own.baseAddress.map { memcmp($0, start, count) == 0 } ?? true }
  }
}
