import ScriptedServer
import SettingsFixture
import Testing

@testable import Settings

/// A pair that the daemon would not start with is a fault of the config, before it has to start.
struct SettingsTLSTests {
    /// A key of nobody, for these tests alone.
    private static let strangeKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgBKGWQC09XJTbdPLb
        ljdMNDP7vnb91HjXjtKKxR3tl5yhRANCAARD8eAonkIwMcu7UbB9UAlaWQsoe+v1
        NqU43NlZ7OYW7iaqKsBCXz7Iqt4p4tlhBm749eFu44H9aOCBK5shS8W0
        -----END PRIVATE KEY-----
        """

    private let certificate = UntrustedCertificate.certificatePEM
    private let key = UntrustedCertificate.keyPEM

    @Test func `a pair that belongs together holds`() {
        #expect(faults(certificate, key) == [])
    }

    @Test func `a file that holds no PEM of its kind is named`() {
        let noCertificate = [
            "--set tls.certificate: /data/c holds no certificate. Write a PEM chain that begins with the server's certificate"
        ]
        let noKey = ["--set tls.key: /data/k holds no private key. Write one in PEM without a passphrase"]
        #expect(faults("nothing", key) == noCertificate)
        #expect(faults("", key) == noCertificate)
        #expect(faults(key, certificate) == noCertificate)
        #expect(faults(certificate, "nothing") == noKey)
        #expect(faults(certificate, certificate) == noKey)
    }

    @Test func `a key that is not the certificate's is told as such`() {
        #expect(faults(certificate, Self.strangeKey) == ["--set tls.key: /data/k is not the key of /data/c"])
    }

    private func faults(_ certificate: String, _ key: String) -> [String] {
        var fixture = SettingsFixture.minimal().setting("tls.certificate=c", "tls.key=k")
        fixture.files["/data/c"] = (certificate, 0o644)
        fixture.files["/data/k"] = (key, 0o600)
        return fixture.faults()
    }
}
