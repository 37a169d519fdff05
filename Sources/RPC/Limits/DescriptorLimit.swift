#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How many files and connections this process may have open.
package enum DescriptorLimit {
  /// `nil` when there is no limit, or the system does not say.
  static var current: Int? { limits.flatMap { Int(exactly: $0.rlim_cur) } }

  /// Raises it as far as the system allows: the limit that shells start programs with is for programs that use `select`,
  /// which these do not.
  package static func raise() {
    guard var limits else { return }
    limits.rlim_cur = limits.rlim_max
    _ = setrlimit(resource, &limits)
  }

  private static var limits: rlimit? {
    var limits = rlimit()
    return getrlimit(resource, &limits) == 0 ? limits : nil
  }

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let resource = RLIMIT_NOFILE
  #endif
}
