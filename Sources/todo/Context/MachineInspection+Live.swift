import Glibc
import ToDoStores
import ToDoTransport

extension MachineInspection {
  /// The inspection of this machine.
  static let live = MachineInspection(
    address: { host in try Endpoint.address(of: host) },
    database: { path in
      guard let permissions = DatabaseCheck.permissions(of: path) else {
        try DatabaseCheck(path: path).checkIsNotLost()
        return nil
      }
      switch DatabaseCheck.limitation(of: path) {
      case nil, .full: break
      case let limitation?: throw limitation
      }
      return Database(
        permissions: permissions, freeBytes: freeBytes(path),
        report: try DatabaseCheck(path: path).run(within: .seconds(5)))
    })

  private static func freeBytes(_ path: String) -> Int64 {
    var statistics = statvfs()
    guard statvfs(path, &statistics) == 0 else { return 0 }
    return Int64(clamping: UInt64(statistics.f_bavail) * UInt64(statistics.f_frsize))
  }
}
