import Glibc
import ToDoRPC

extension Terminal {
  /// Creates a terminal over the standard streams of the process.
  static func live() -> Terminal {
    Terminal(
      output: { text in
        let error = writeAll(text, to: STDOUT_FILENO)
        // A closed pipe, as in `todo list | head -1`, is not an error.
        guard error != 0, error != EPIPE else { return }
        throw Failure(
          code: .unknown, reason: "OUTPUT_FAILED",
          message: "cannot write the output: \(String(cString: strerror(error)))")
      },
      error: { _ = writeAll($0, to: STDERR_FILENO) },
      readLine: { Swift.readLine() },
      readInput: { limit throws(InputBytes.ReadError) in try InputBytes.read(from: STDIN_FILENO, limit: limit) },
      readSecret: readSecret,
      inputIsTerminal: isatty(STDIN_FILENO) == 1,
      outputIsTerminal: isatty(STDOUT_FILENO) == 1,
      errorIsTerminal: isatty(STDERR_FILENO) == 1,
      windowColumns: columns,
      screen: .live())
  }

  /// Writes the whole text, and returns 0 or the `errno` of the failed write.
  private static func writeAll(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = write(descriptor, rest.baseAddress, rest.count)
        if count >= 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        } else if errno == EAGAIN {
          var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&wait, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
  }

  private static func readSecret() -> String? {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return Swift.readLine() }
    var silent = settings
    silent.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
      // The newline that the user typed was not echoed either.
      _ = writeAll("\n", to: STDERR_FILENO)
    }
    return Swift.readLine()
  }

  private static func columns() -> Int? {
    var size = winsize()
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    }
    return nil
  }
}
