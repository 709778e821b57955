import Foundation
import Testing

@testable import VestibuleClient

@Suite struct ServerAddressTests {
    @Test(arguments: [
        "https://example.com", "HTTPS://example.com:3001/api", "https://example.com/api/", "http://localhost:8080",
        "http://127.0.0.1:8080/api", "http://127.9.9.9", "http://[::1]:8080",
    ])
    func `https, and http to this machine, may be used`(text: String) throws {
        _ = try ServerAddress(#require(URL(string: text)))
    }

    @Test(arguments: [
        "http://example.com", "http://192.168.1.131:3001", "ftp://example.com", "example.com", "/api", "https:///api",
        "https://user:pw@example.com", "https://example.com/?a=b", "https://example.com/#f",
        "http://127.0.0.1.evil.org",
        "http://127.evil.org", "http://localhost.evil.org", "http://0.0.0.0", "http://1270.0.1", "file:///etc/passwd",
        "http://127.0.0.1@evil.org/",
    ])
    func `anything else may not`(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(throws: FaceLoginError.invalidURL(.server)) { try ServerAddress(url) }
    }

    @Test func `a client with such an address is not made`() throws {
        let url = try #require(URL(string: "http://example.com"))
        #expect(throws: FaceLoginError.invalidURL(.server)) { try FaceLogin(server: url, store: MemoryTokenStore()) }
    }

    @Test func `the paths of the API follow the base`() throws {
        let server = try ServerAddress(#require(URL(string: "http://127.0.0.1:8080/api/")))
        let id = try #require(OperationID("6f1c-A_9"))
        #expect(server.initiate.absoluteString == "http://127.0.0.1:8080/api/auth/biometric-login/initiate")
        #expect(
            server.poll(id, wait: nil).absoluteString == "http://127.0.0.1:8080/api/auth/biometric-login/poll/6f1c-A_9"
        )
        #expect(server.poll(id, wait: 25).absoluteString.hasSuffix("/poll/6f1c-A_9?wait=25"))
        #expect(server.acknowledge(id).path(percentEncoded: true) == "/api/auth/biometric-login/ack/6f1c-A_9")
        #expect(server.cancel(id).path(percentEncoded: true) == "/api/auth/biometric-login/cancel/6f1c-A_9")
    }
}

@Suite struct CodeVerifierTests {
    @Test func `the challenge is the one of RFC 7636 appendix B`() {
        let verifier = CodeVerifier(text: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(verifier.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func `thirty-two bytes make forty-three safe characters`() {
        let verifier = CodeVerifier(bytes: [
            116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191,
            240,
            91, 88, 5, 88, 83, 132, 141, 121,
        ])
        #expect(verifier.text == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    }

    @Test func `the system's randomness does not repeat`() {
        let first = ClientEnvironment.system.randomBytes(32)
        #expect(first.count == 32)
        #expect(first != ClientEnvironment.system.randomBytes(32))
    }
}
