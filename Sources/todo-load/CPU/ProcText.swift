import Glibc

/// Parses the files that describe processes on Linux: proc(5).
enum ProcText {
  /// Returns the text of a file, or an empty string if the file cannot be read.
  static func read(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while text.count < 64 << 20 {
      let count = systemRead(file, &chunk, chunk.count)
      guard count > 0 else { break }
      text += chunk[..<count]
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the user and system time in `/proc/PID/stat`, in ticks.
  ///
  /// These are the fields 14 and 15. Fields are counted from the closing parenthesis of the process name, which can contain
  /// spaces and parentheses.
  static func cpuTicks(stat: String) -> Int64? {
    let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Int64(fields[11]), let system = Int64(fields[12]) else { return nil }
    return user + system
  }

  /// Returns the number of processors in a line of `/proc/PID/status` such as `Cpus_allowed_list:	0-3,8`.
  static func processorCount(status: String) -> Int? {
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("Cpus_allowed_list:") }) else {
      return nil
    }
    let list = line.drop { $0 != ":" }.dropFirst().filter { !$0.isWhitespace }
    var count = 0
    for range in list.split(separator: ",") {
      let ends = range.split(separator: "-").map { Int($0) }
      guard let first = ends.first.flatMap(\.self), let last = ends.last.flatMap(\.self), last >= first else {
        return nil
      }
      count += last - first + 1
    }
    return count > 0 ? count : nil
  }

  /// Returns the inode of the socket with these ports in the text of `/proc/net/tcp` or `/proc/net/tcp6`.
  ///
  /// Ports are hexadecimal. A row: `0: 0100007F:21BC 0100007F:D2F4 01 00000000:00000000 00:00000000 00000000 1000 0 12345 1 …`
  static func inode(tcp: String, localPort: Int, remotePort: Int) -> Int? {
    for line in tcp.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: " ")
      guard fields.count > 9, port(fields[1]) == localPort, port(fields[2]) == remotePort else { continue }
      return Int(fields[9])
    }
    return nil
  }

  private static func port(_ address: Substring) -> Int? {
    address.split(separator: ":").last.flatMap { Int($0, radix: 16) }
  }
}

// The system call, which the method of the same name would otherwise shadow.
private let systemRead = read
