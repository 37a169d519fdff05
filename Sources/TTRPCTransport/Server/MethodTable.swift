package import TTRPC

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The methods that a server offers, found by the bytes of a request.
package struct MethodTable: Sendable {
  /// A class, so that finding a method copies one reference and not all that a method has.
  final class Entry: Sendable {
    let method: ServerMethod
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

  /// - Precondition: no name occurs twice.
  package init(_ methods: [ServerMethod]) {
    precondition(Set(methods.map(\.name)).count == methods.count, "a method is there twice")
    entries = methods.map(Entry.init)
  }

  package var methods: [ServerMethod] { entries.map(\.method) }

  package var names: [MethodName] { entries.map(\.method.name) }

  /// Compares bytes in a row of about twenty names, which costs less than making strings to hash.
  func entry(service: UnsafeRawBufferPointer, method: UnsafeRawBufferPointer) -> Entry? {
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
