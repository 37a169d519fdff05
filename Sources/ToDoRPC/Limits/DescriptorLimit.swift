import Glibc

/// The maximum number of open file descriptors in this process.
package enum DescriptorLimit {
  /// The current limit, or `nil` if there is none or it is unknown.
  static var current: Int? { limits.flatMap { Int(exactly: $0.rlim_cur) } }

  /// Raises the limit to the system's maximum. The default limit of shells is for programs that use `select`, which
  /// these programs do not.
  package static func raise() {
    guard var limits else { return }
    limits.rlim_cur = limits.rlim_max
    _ = setrlimit(resource, &limits)
  }

  private static var limits: rlimit? {
    var limits = rlimit()
    return getrlimit(resource, &limits) == 0 ? limits : nil
  }

  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
