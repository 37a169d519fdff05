import Glibc
import ToDoModel

/// The name of the user's time zone in the IANA database, such as `Europe/Berlin`, in which items repeat.
///
/// | zone | name |
/// | --- | --- |
/// | `TZ=Europe/Berlin`, `TZ=:Europe/Berlin`, `TZ=/usr/share/zoneinfo/Europe/Berlin` | `Europe/Berlin` |
/// | `TZ=` | `UTC` |
/// | no `TZ` | the target of the link `/etc/localtime`, or else the text of `/etc/timezone` |
/// | `TZ=CET-1`, a POSIX rule with whole hours | `Etc/GMT-1`, which is UTC+1 |
/// | `TZ=CET-1CEST`, a rule with daylight saving time | `Etc/GMT-1`; the notice says that its clocks don't change |
/// | `TZ=IST-5:30`, another rule, or no name at all | `UTC`; the notice says so |
package struct LocalZoneName: Equatable {
  /// The name; `UTC` if the zone has none.
  package let name: String
  /// A warning for the user before an item repeats, in one sentence; `nil` if there is none.
  package let notice: String?

  /// Finds the name.
  ///
  /// - Parameters:
  ///   - environment: returns the value of an environment variable.
  ///   - files: the files of the system.
  package init(_ environment: (String) -> String?, files: Files = .system) {
    guard let setting = environment("TZ") else {
      let link = files.target("/etc/localtime").flatMap(Self.name(ofFile:))
      let line = files.text("/etc/timezone")?.split(whereSeparator: \.isWhitespace).first.map(String.init)
      self.init(name: link ?? line, "The system's time zone")
      return
    }
    let text = setting.hasPrefix(":") ? setting.dropFirst() : setting[...]
    let source = "TZ '\(setting.escapingControls())'"
    if text.isEmpty {
      self.init(name: "UTC", source)
    } else if text.hasPrefix("/") {
      self.init(name: Self.name(ofFile: String(text)), source)
    } else if let rule = PosixRule(text), !files.exists("/usr/share/zoneinfo/\(text)") {
      self.init(rule, source)
    } else {
      self.init(name: String(text), source)
    }
  }

  private init(name: String, notice: String?) {
    (self.name, self.notice) = (name, notice)
  }

  private init(name: String?, _ source: String) {
    let notice = name == nil ? "\(source) has no name, so times repeat in UTC. \(Self.remedy)" : nil
    self.init(name: name ?? "UTC", notice: notice)
  }

  private init(_ rule: PosixRule, _ source: String) {
    guard rule.minutesWest.isMultiple(of: 60), abs(rule.minutesWest) <= 12 * 60 else {
      self.init(name: nil, source)
      return
    }
    let hours = rule.minutesWest / 60
    let name = hours == 0 ? "UTC" : "Etc/GMT\(hours < 0 ? "-" : "+")\(abs(hours))"
    let offset = hours == 0 ? "UTC" : "UTC\(hours < 0 ? "+" : "-")\(abs(hours))"
    let notice =
      rule.hasSummerTime ? "\(source) has no name, so times repeat in \(offset) all year. \(Self.remedy)" : nil
    self.init(name: name, notice: notice)
  }

  private static let remedy = "Set TZ to a name such as 'Europe/Berlin'."

  /// Returns the name in the path of a time zone file.
  private static func name(ofFile path: String) -> String? {
    guard let folder = path.firstRange(of: "zoneinfo/") else { return nil }
    var name = path[folder.upperBound...]
    for folder in ["posix/", "right/"] where name.hasPrefix(folder) { name = name.dropFirst(folder.count) }
    return name.isEmpty ? nil : String(name)
  }

  /// The files that name the system's zone.
  package struct Files {
    /// Returns the target of a symbolic link.
    var target: (_ path: String) -> String?
    /// Returns the text of a small file.
    var text: (_ path: String) -> String?
    /// Returns whether a file exists.
    var exists: (_ path: String) -> Bool
  }
}

extension LocalZoneName.Files {
  /// The files of this machine.
  package static var system: Self {
    Self(
      target: { path in
        var bytes = [CChar](repeating: 0, count: 1024)
        let count = readlink(path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
      },
      text: { path in
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
      },
      exists: { access($0, F_OK) == 0 })
  }
}
