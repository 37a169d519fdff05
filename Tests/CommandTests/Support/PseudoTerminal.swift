import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Both ends of a pseudoterminal: the user's end, and the program's end for its standard streams.
struct PseudoTerminal {
  let userEnd: FileHandle
  let programEnd: FileHandle

  init() throws {
    let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    guard descriptor >= 0 else { throw POSIXError(.ENXIO) }
    userEnd = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let other = Self.openOtherEnd(of: descriptor)
    guard other >= 0 else { throw POSIXError(.ENXIO) }
    programEnd = FileHandle(fileDescriptor: other, closeOnDealloc: true)
  }

  private static func openOtherEnd(of descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
    guard grantpt(descriptor) == 0, unlockpt(descriptor) == 0, let name = ptsname(descriptor) else { return -1 }
    return open(name, O_RDWR | O_NOCTTY)
    #else
    // The calls of unlockpt and ptsname. Swift's Glibc module lacks both functions, TIOCSPTLCK and TIOCGPTN.
    var isLocked: Int32 = 0
    var number: UInt32 = 0
    guard ioctl(descriptor, 0x4004_5431, &isLocked) == 0, ioctl(descriptor, 0x8004_5430, &number) == 0 else {
      return -1
    }
    return open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    #endif
  }

  /// Returns the program's output up to and including a text.
  func read(upTo end: String) -> String {
    var text = ""
    while !text.contains(end) {
      let data = userEnd.availableData
      guard !data.isEmpty else { break }
      text += String(decoding: data, as: UTF8.self)
    }
    return text
  }

  func type(_ text: String) throws {
    try userEnd.write(contentsOf: Data(text.utf8))
  }
}
