#if TLS
package import ToDoTestCertificates
package import ToDoTransport

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
