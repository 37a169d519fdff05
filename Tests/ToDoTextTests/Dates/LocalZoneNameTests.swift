import Testing

@testable import ToDoText

@Suite struct LocalZoneNameTests {
  private func name(_ setting: String?, link: String? = nil, text: String? = nil) -> LocalZoneName {
    let files = LocalZoneName.Files(target: { _ in link }, text: { _ in text }, exists: { $0.hasSuffix("EST5EDT") })
    return LocalZoneName({ $0 == "TZ" ? setting : nil }, files: files)
  }

  @Test(arguments: [
    ("Europe/Berlin", "Europe/Berlin"), (":Europe/Berlin", "Europe/Berlin"), ("UTC", "UTC"), ("", "UTC"),
    ("/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"), ("/usr/share/zoneinfo/posix/Asia/Tokyo", "Asia/Tokyo"),
    ("EST5EDT", "EST5EDT"), ("CET-1", "Etc/GMT-1"), ("EST5", "Etc/GMT+5"), ("<+03>-3", "Etc/GMT-3"), ("UTC0", "UTC"),
    ("PST8PDT,M3.2.0,M11.1.0", "Etc/GMT+8"), ("IST-5:30", "UTC"), ("/tmp/zone", "UTC"),
  ])
  func name_ofSetting_isThatOfDatabase(_ setting: String, _ expected: String) {
    #expect(name(setting).name == expected)
  }

  @Test func name_withoutSetting_isThatOfSystem() {
    #expect(name(nil, link: "/usr/share/zoneinfo/Europe/Rome", text: "Asia/Tokyo\n").name == "Europe/Rome")
    #expect(name(nil, link: "../usr/share/zoneinfo/Europe/Rome").name == "Europe/Rome")
    #expect(name(nil, text: "Asia/Tokyo\n").name == "Asia/Tokyo")
    #expect(name(nil).notice?.hasPrefix("The system's time zone has no name") == true)
  }

  @Test(arguments: ["ABC1:9223372036854775807", "ABC1:60", "ABC99", "AB1"])
  func rule_beyondLimits_isNone(_ text: Substring) {
    #expect(PosixRule(text) == nil)
  }

  @Test func notice_ofRule_saysWhatIsLost() {
    #expect(name("CET-1").notice == nil)
    #expect(
      name("CET-1CEST").notice
        == "TZ 'CET-1CEST' has no name, so times repeat in UTC+1 all year. Set TZ to a name such as 'Europe/Berlin'.")
    #expect(
      name("IST-5:30").notice
        == "TZ 'IST-5:30' has no name, so times repeat in UTC. Set TZ to a name such as 'Europe/Berlin'.")
  }
}
