#if TLS
import FoundationEssentials

/// An authority that is good for as long as a test runs, and what it signs.
///
/// The certificates are made by the `openssl` program, version 1.1.1 or later, which is found with `PATH`.
public struct TestCertificates {
  /// The authority's own folder. Everything is in there.
  private let directory: String
  private let configuration: String
  private let key: String
  /// The file of the authority's own certificate.
  public let authority: String

  /// The number of seconds for which certificates are valid.
  public static let validity = 3600

  /// - Parameter directory: where a folder with the files is created.
  /// - Throws: an error with the output of `openssl` if that fails.
  public init(in directory: String, named commonName: String = "Test authority") throws {
    self.directory = "\(directory)/\(UUID())"
    configuration = "\(self.directory)/openssl.cnf"
    key = "\(self.directory)/authority.key"
    authority = "\(self.directory)/authority.pem"
    try FileManager.default.createDirectory(atPath: self.directory, withIntermediateDirectories: false)
    try Data(Self.settings(database: "\(self.directory)/database").utf8).write(to: URL(filePath: configuration))
    try Data().write(to: URL(filePath: "\(self.directory)/database"))
    try OpenSSL.run(
      ["req", "-x509", "-config", configuration, "-extensions", "authority", "-subj", "/CN=\(commonName)"]
        + Self.newKey(in: key) + ["-out", authority])
  }

  /// The files of a certificate and of its key.
  public struct Files {
    public let certificate: String
    public let key: String
  }

  /// For `localhost` and `127.0.0.1`.
  ///
  /// - Parameters:
  ///   - usingRSA: whether the key is one of RSA, and not of an elliptic curve.
  ///   - offset: the number of seconds by which the time of the certificate is moved, so that it is not valid now.
  public func server(usingRSA: Bool = false, offset: Int = 0) throws -> Files {
    try identity("localhost", "DNS:localhost,IP:127.0.0.1", usingRSA: usingRSA, offset: offset)
  }

  /// Creates a certificate of a user, with the subject `CN=name`.
  public func client(_ name: String) throws -> Files {
    try identity(name, "email:\(name)@example.org")
  }

  private func identity(
    _ commonName: String, _ alternativeNames: String, usingRSA: Bool = false, offset: Int = 0
  ) throws -> Files {
    let path = "\(directory)/\(UUID())"
    let files = Files(certificate: "\(path).pem", key: "\(path).key")
    try OpenSSL.run(
      ["req", "-new", "-config", configuration, "-subj", "/CN=\(commonName)"]
        + ["-addext", "subjectAltName=\(alternativeNames)", "-out", "\(path).csr"]
        + Self.newKey(in: files.key, usingRSA: usingRSA))
    // Before version 3.4, only `openssl ca` sets the start of the validity.
    try OpenSSL.run(
      ["ca", "-batch", "-notext", "-config", configuration, "-cert", authority, "-keyfile", key]
        + ["-startdate", Self.date(offset - 3600), "-enddate", Self.date(offset + Self.validity)]
        + ["-in", "\(path).csr", "-out", files.certificate, "-outdir", directory])
    return files
  }

  /// Options of `openssl req` that create a key and write it, unencrypted, to a file that only its owner can read.
  private static func newKey(in path: String, usingRSA: Bool = false) -> [String] {
    let algorithm = usingRSA ? ["rsa:2048"] : ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    return ["-newkey"] + algorithm + ["-nodes", "-keyout", path]
  }

  /// Returns a time as openssl reads it, for example `20260131235959Z`.
  private static func date(_ secondsFromNow: Int) -> String {
    Date(timeIntervalSinceNow: TimeInterval(secondsFromNow))
      .formatted(Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)).filter { $0 != "T" }
  }

  /// Returns the configuration of openssl, instead of the system's.
  ///
  /// - Parameter database: the file where `openssl ca` records the certificates.
  private static func settings(database: String) -> String {
    """
    [req]
    distinguished_name = name
    [name]
    [authority]
    basicConstraints = critical, CA:TRUE
    keyUsage = critical, keyCertSign
    [ca]
    default_ca = issuing
    [issuing]
    database = \(database)
    unique_subject = no
    rand_serial = yes
    default_md = sha256
    policy = policy
    copy_extensions = copy
    [policy]
    commonName = supplied

    """
  }
}
#endif
