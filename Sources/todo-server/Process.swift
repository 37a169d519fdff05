#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes out what was printed: whoever waits for a line in a pipe must not wait for a full buffer.
func flushStandardOutput() {
  fflush(nil)
}

/// A variable of the environment.
func environmentVariable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
