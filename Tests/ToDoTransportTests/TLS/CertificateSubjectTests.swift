#if TLS
import Testing

@testable import ToDoTransport

/// The text of a certificate's subject, which identifies a user.
@Suite struct CertificateSubjectTests {
  @Test func description_equalsThatOfSwiftCertificates() throws {
    for sample in try SampleSubjects.samples() {
      #expect(try CertificateSubject(certificate: sample.certificate).description == sample.text)
    }
  }

  @Test(arguments: [
    "CN=ann", "", "CN=\\ \\#a#\\ ", #"CN=a\,b\+c\"d\\e\<f\>g\;h=i"#, "CN=2,CN=1",
    "1.3.6.1.4.1.311.60.2.1.3=x,2.5.4.5=x,E=x,DC=x,STREET=x,OU=x,O=x,ST=x,L=x,C=x,CN=x",
  ])
  func description_ofSamples_isUnchanged(_ text: String) throws {
    #expect(try SampleSubjects.samples().contains { $0.text == text })
  }

  @Test func init_whenBytesAreDamaged_throwsOrReturns() throws {
    let sample = try #require(try SampleSubjects.samples().last)
    for count in sample.certificate.indices {
      #expect(throws: (any Error).self) { try CertificateSubject(certificate: Array(sample.certificate[..<count])) }
    }
    for index in 0..<500 {
      var changed = sample.certificate
      changed[index] ^= 0x81
      _ = try? CertificateSubject(certificate: changed)
    }
  }
}
#endif
