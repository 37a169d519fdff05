import Glibc
import ToDoTestProcesses

/// Both ends of a pseudoterminal: the user's end, and the program's end for its standard streams.
struct PseudoTerminal {
  let userEnd: OwnedDescriptor
  let programEnd: OwnedDescriptor

  init() throws {
    let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("cannot open a pseudoterminal") }
    userEnd = OwnedDescriptor(descriptor)
    let other = Self.openOtherEnd(of: descriptor)
    guard other >= 0 else { throw SystemError("cannot open the program's end of a pseudoterminal") }
    programEnd = OwnedDescriptor(other)
  }

  private static func openOtherEnd(of descriptor: Int32) -> Int32 {
    // The calls of unlockpt and ptsname. Swift's Glibc module lacks both functions, TIOCSPTLCK and TIOCGPTN.
    var isLocked: Int32 = 0
    var number: UInt32 = 0
    guard ioctl(descriptor, 0x4004_5431, &isLocked) == 0, ioctl(descriptor, 0x8004_5430, &number) == 0 else {
      return -1
    }
    return open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
  }
}
