import Glibc
import Synchronization

/// Measures the CPU time of this program and the server between the measured part's start and end.
///
/// `begin()` and `end()` are called on the thread that sends and receives, whose CPU time they read.
final class CPUMeter: Sendable {
  private struct Reading {
    var client = CPUTime.ofThisProcess
    var clientThread = CPUTime.ofThisThread
    var server: Nanoseconds?
  }

  private struct State {
    var server: MeasuredServer?
    var begin: Reading?
    var end: Reading?
  }

  private let state = Mutex(State())

  func setServer(_ server: MeasuredServer?) { state.withLock { $0.server = server } }

  var server: MeasuredServer? { state.withLock(\.server) }

  func begin() { state.withLock { $0.begin = Reading(server: $0.server?.cpuTime) } }

  func end() { state.withLock { $0.end = Reading(server: $0.server?.cpuTime) } }

  /// Returns the CPU time between `begin()` and `end()`, or zero if one of them was not called.
  ///
  /// - Parameter elapsed: The time between the two calls.
  func usage(elapsed: Nanoseconds) -> CPUUsage {
    let processors = CPUTime.processorCount
    let state = state.withLock(\.self)
    guard let begin = state.begin, let end = state.end else {
      return CPUUsage(client: 0, clientThread: 0, elapsed: elapsed, processors: processors)
    }
    let server = begin.server.flatMap { first in end.server.map { $0 - first } }
    return CPUUsage(
      client: end.client - begin.client, clientThread: end.clientThread - begin.clientThread, server: server,
      elapsed: elapsed, processors: processors)
  }
}

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

/// The CPU time used in the measured part of a run.
struct CPUUsage: Equatable, Sendable {
  /// The CPU time of this program.
  var client: Nanoseconds
  /// The CPU time of the thread that sends and receives.
  var clientThread: Nanoseconds
  /// The CPU time of the server's process, or `nil` if the process is unknown.
  var server: Nanoseconds?
  var elapsed: Nanoseconds
  /// The number of processors that this program may use.
  var processors: Int
}

extension CPUUsage {
  /// Whether this program's thread or all of its processors were saturated, so that the client limited the load.
  var isClientBound: Bool {
    guard elapsed > 0 else { return false }
    let hasFullThread = share(clientThread) >= Self.saturation
    let hasFullMachine = share(client) >= Self.saturation * Double(processors)
    return hasFullThread || hasFullMachine
  }

  /// Returns a CPU time as a share of one processor's time.
  func share(_ time: Nanoseconds) -> Double { elapsed > 0 ? Double(time) / Double(elapsed) : 0 }

  private static let saturation = 0.9
}
