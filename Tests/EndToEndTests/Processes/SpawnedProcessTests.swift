import Glibc
import Testing
import ToDoTestProcesses
import ToDoTestSupport

/// The processes that tests start.
@Suite(.timeLimited, .blocking) struct SpawnedProcessTests {
  private func shell(_ script: String, _ arguments: String...) throws -> CompletedProcess {
    try CompletedProcess("/bin/sh", ["-c", script, "sh"] + arguments)
  }

  @Test func wait_afterExit_returnsStatusEachTime() throws {
    let process = try SpawnedProcess("/bin/sh", ["-c", "exit 7"])
    for _ in 0..<2 { #expect(process.wait() == .exited(7)) }
    #expect(process.wait().status == 7)
    #expect(!process.isRunning)
  }

  @Test func wait_afterSignal_returnsSignal() throws {
    let process = try SpawnedProcess("/bin/sleep", ["3600"])
    #expect(process.isRunning)
    process.signal(SIGTERM)
    #expect(process.wait() == .signaled(SIGTERM))
    #expect(process.wait().status == 128 + SIGTERM)
  }

  @Test func wait_inSeveralTasks_returnsSameTermination() async throws {
    let process = try SpawnedProcess("/bin/sh", ["-c", "exit 7"])
    let terminations = await withTaskGroup { group in
      for _ in 0..<4 { group.addTask { process.wait() } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(terminations == Array(repeating: .exited(7), count: 4))
  }

  @Test func signal_afterWait_doesNothing() throws {
    let process = try SpawnedProcess("/bin/sh", ["-c", "exit 0"])
    process.wait()
    process.signal(SIGKILL)
    #expect(process.wait() == .exited(0))
  }

  @Test func process_whenValueIsDeinitialized_isKilled() throws {
    let output = try ProcessPipe()
    var process: SpawnedProcess? = try SpawnedProcess(
      "/bin/sh", ["-c", "echo; exec sleep 3600"], output: .pipe(output))
    #expect(try output.readingEnd.readLines(1) == "\n")
    #expect(process?.isRunning == true)
    process = nil
    #expect(try output.readingEnd.readToEnd() == "")
  }

  @Test func start_whenProgramIsMissing_namesIt() throws {
    let error = #expect(throws: SystemError.self) { try SpawnedProcess("/nowhere/program") }
    #expect(error?.description == "cannot start /nowhere/program: No such file or directory")
  }

  @Test func streams_areSeparate() throws {
    let process = try CompletedProcess("/bin/sh", ["-c", "cat; echo error >&2"], input: "Grüße\n")
    #expect(process.output == "Grüße\n")
    #expect(process.error == "error\n")
    #expect(process.termination == .exited(0))
  }

  @Test func streams_whenLarge_areComplete() throws {
    let count = 1_000_000
    let process = try CompletedProcess(
      "/bin/sh", ["-c", "tee /dev/stderr"], input: String(repeating: "x", count: count))
    #expect(process.output.utf8.count == count)
    #expect(process.error.utf8.count == count)
  }

  @Test func environment_whenGiven_isComplete() throws {
    #expect(try CompletedProcess("/usr/bin/env", environment: ["A": "1=2"]).output == "A=1=2\n")
    #expect(try CompletedProcess("/usr/bin/env", environment: [:]).output == "")
  }

  @Test func environment_byDefault_isInherited() throws {
    let path = try #require(getenv("PATH"))
    #expect(try shell("printf %s \"$PATH\"").output == String(cString: path))
  }

  @Test func signals_areNeitherBlockedNorIgnored() throws {
    var (blocked, previous) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &blocked, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    let standard = signal(SIGUSR2, SIG_IGN)
    defer { signal(SIGUSR2, standard) }
    #expect(try shell("kill -TERM $$").termination == .signaled(SIGTERM))
    #expect(try shell("kill -USR2 $$").termination == .signaled(SIGUSR2))
  }

  @Test func group_ifProcessSurvivesIt_isItsOwn() throws {
    for survives in [true, false] {
      let process = try SpawnedProcess("/bin/sleep", ["3600"], survivesGroup: survives)
      #expect(getpgid(process.id) == (survives ? process.id : getpgrp()))
    }
  }

  @Test func descriptors_areNotInherited() throws {
    let (pipe, file) = (try ProcessPipe(), try StreamFile())
    let inheritable = OwnedDescriptor(dup(file.descriptor.number))
    for descriptor in [pipe.readingEnd, pipe.writingEnd, file.descriptor, inheritable] {
      #expect(try shell("test -e /proc/$$/fd/$1", "\(descriptor.number)").termination == .exited(1))
    }
  }

  @Test func pipe_afterProcessHasEnded_endsForReader() throws {
    let output = try ProcessPipe()
    let process = try SpawnedProcess("/bin/echo", ["milk"], output: .pipe(output))
    #expect(try output.readingEnd.readLines(2) == "milk\n")
    #expect(process.wait() == .exited(0))
  }

  @Test func read_whenNothingIsWritten_timesOut() throws {
    let output = try ProcessPipe()
    let process = try SpawnedProcess("/bin/sh", ["-c", "printf some; exec sleep 3600"], output: .pipe(output))
    #expect(try output.readingEnd.read(upTo: "some") == "some")
    let error = #expect(throws: OwnedDescriptor.TimedOut.self) { try output.readingEnd.readLines(1, within: .zero) }
    #expect(error?.description == "the expected output did not come within 0.0 seconds; it is “” so far")
    process.signal(SIGKILL)
  }
}
