#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The CPU time that this program has used, in user and in system mode.
enum CPUTime {
  static var ofThisProcess: Nanoseconds { time(CLOCK_PROCESS_CPUTIME_ID) }
  static var ofThisThread: Nanoseconds { time(CLOCK_THREAD_CPUTIME_ID) }

  private static func time(_ clock: clockid_t) -> Nanoseconds {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return 0 }
    return Nanoseconds(time.tv_sec) * .second + Nanoseconds(time.tv_nsec)
  }

  /// The number of processors that this program may use.
  static var processorCount: Int {
    ProcText.processorCount(status: ProcText.read("/proc/self/status")) ?? sysconf(Int32(_SC_NPROCESSORS_ONLN))
  }
}
