import Testing

@testable import todo_load

@Suite struct ProcTextTests {
  @Test func cpuTicks_whenNameHasParentheses_returnsSum() {
    let stat = "4711 (a) b (c) S 1 4711 4711 0 -1 4194560 1 2 3 4 250 70 5 6 20 0 4 0 12345"
    #expect(ProcText.cpuTicks(stat: stat) == 320)
    #expect(ProcText.cpuTicks(stat: "") == nil)
    #expect(ProcText.cpuTicks(stat: "4711 (a) S 1") == nil)
  }

  @Test(arguments: [("0-3,8", 5), ("1", 1), ("0-0", 1), ("", nil), ("x", nil), ("3-1", nil)] as [(String, Int?)])
  func processorCount_countsAllowedProcessors(list: String, count: Int?) {
    #expect(ProcText.processorCount(status: "Name:\ttodo\nCpus_allowed_list:\t\(list)\nMems_allowed:\t1\n") == count)
  }

  @Test func inode_matchesBothPorts() {
    let table = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:21BC 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0 100 0 0 10 0
         1: 0100007F:D2F4 0100007F:21BC 01 00000000:00000000 00:00000000 00000000  1000        0 22 1 0 20 4 30 10 -1
         2: 0100007F:21BC 0100007F:D2F4 01 00000000:00000000 00:00000000 00000000  1000        0 33 1 0 20 4 30 10 -1
      """
    #expect(ProcText.inode(tcp: table, localPort: 0x21BC, remotePort: 0xD2F4) == 33)
    #expect(ProcText.inode(tcp: table, localPort: 0xD2F4, remotePort: 0x21BC) == 22)
    #expect(ProcText.inode(tcp: table, localPort: 1, remotePort: 2) == nil)
    #expect(ProcText.inode(tcp: "", localPort: 1, remotePort: 2) == nil)
  }
}
