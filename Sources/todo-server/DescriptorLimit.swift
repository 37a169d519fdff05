#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Lets the process open as many files and connections as the system allows it: the limit that shells start programs with
/// is for programs that use `select`, which this one does not.
func raiseDescriptorLimit() {
  #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    let resource = RLIMIT_NOFILE
  #endif
  var limit = rlimit()
  guard getrlimit(resource, &limit) == 0 else { return }
  limit.rlim_cur = limit.rlim_max
  _ = setrlimit(resource, &limit)
}
