import Glibc

/// A failed system call.
package struct SystemError: Error, CustomStringConvertible {
  private let problem: String
  package let code: Int32

  package init(_ problem: String, code: Int32 = errno) {
    self.problem = problem
    self.code = code
  }

  package var description: String { "\(problem): \(String(cString: strerror(code)))" }
}
