#if TLS
package import TestCertificates
package import Transport

extension ServerTLS.Files {
  package init(_ files: TestCertificates.Files) {
    self.init(certificate: files.certificate, key: files.key)
  }
}

extension ClientTLS.Identity {
  package init(_ files: TestCertificates.Files) {
    self.init(certificate: files.certificate, key: files.key)
  }
}
#endif
