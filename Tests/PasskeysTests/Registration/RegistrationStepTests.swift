import Kernel
import Testing

@testable import Passkeys

/// Each step of WebAuthn L3 §7.1 that can fail, broken alone; some show in the error of the step that depends on them.
struct RegistrationStepTests {
    /// The error of a registration that `change` broke; `nil` if it is accepted.
    private func refusal(
        of algorithm: COSEAlgorithm = .es256,
        _ change: (inout RegistrationCeremony) throws -> Void
    ) async throws -> CeremonyError? {
        var ceremony = try RegistrationCeremony(algorithm)
        try change(&ceremony)
        do {
            _ = try await ceremony.record()
            return nil
        } catch let error as CeremonyError { return error }
    }

    private func error(_ fault: CeremonyStepError, _ step: Int) -> CeremonyError {
        CeremonyError(fault, .registration(step))
    }

    @Test(arguments: COSEAlgorithm.allCases)
    func `a registration in which nothing is broken holds`(_ algorithm: COSEAlgorithm) async throws {
        let refusal = try await refusal(of: algorithm) { _ in }
        #expect(refusal == nil)
    }

    @Test func `step 1: an algorithm that the options didn't offer is refused where it shows`() async throws {
        let refusal = try await refusal(of: .es384) { $0.expected.preferences.algorithms = [.es256] }
        #expect(refusal == error(.algorithmNotOffered, 20))
    }

    @Test func `step 2: without a credential there is nothing to verify`() {
        #expect(throws: error(.response(member: "credential"), 2)) { try RegistrationResponse(json: .null) }
    }

    @Test(arguments: [
        ("type", #""public-key""#, #""password""#), ("id", #""CQk""#, #""""#), ("id", #""CQk""#, "7"),
        ("rawId", #""rawId":"CQk""#, #""rawId":"CQo""#), ("response", #""response":{"#, #""other":{"#),
        ("response.clientDataJSON", "clientDataJSON", "clientData"),
        ("response.clientDataJSON", #""e30""#, #""e30=""#),
        ("response.attestationObject", "attestationObject", "authenticatorData"),
        ("response.transports", #"["internal"]"#, #""internal""#), ("response.transports", #"["internal"]"#, "[1]"),
    ])
    func `step 3: a response that is none of a registration is refused`(
        _ member: String,
        _ good: String,
        _ bad: String
    ) throws {
        let text = Self.json.replacing(good, with: bad, maxReplacements: 1)
        try #require(text != Self.json)
        let json = try JSONReader.read(Array(text.utf8))
        #expect(throws: error(.response(member: member), 3)) { try RegistrationResponse(json: json) }
    }

    @Test func `step 3: an id is the same twice by its bytes, not as text`() throws {
        let good = Self.json.replacing("CQk", with: "KKKK")
        _ = try RegistrationResponse(json: try JSONReader.read(Array(good.utf8)))
        // The sign of the unit kelvin, which is equal to a K in Swift.
        let bad = good.replacing(#""rawId":"KKKK""#, with: "\"rawId\":\"\u{212A}KKK\"")
        try #require(bad.utf8.count == good.utf8.count + 2)
        let json = try JSONReader.read(Array(bad.utf8))
        #expect(throws: error(.response(member: "rawId"), 3)) { try RegistrationResponse(json: json) }
    }

    @Test(arguments: ["[]", "true", #""credProps""#])
    func `step 4: extension results other than an object are refused`(_ results: String) throws {
        let text = Self.json.replacing(#""clientExtensionResults":{}"#, with: "\"clientExtensionResults\":\(results)")
        let json = try JSONReader.read(Array(text.utf8))
        #expect(throws: error(.response(member: "clientExtensionResults"), 4)) { try RegistrationResponse(json: json) }
    }

    @Test func `step 5: client data that is not UTF-8 is refused`() async throws {
        let refusal = try await refusal { ceremony in
            var bytes = ceremony.clientData.bytes
            bytes.replace([UInt8(ascii: "a")], with: [0xC0], maxReplacements: 1)
            ceremony.clientData.raw = bytes
        }
        #expect(refusal == error(.clientDataNotUTF8, 5))
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"type":1}"#, #"{"type":"webauthn.create","challenge":"AQ"}"#])
    func `step 6: client data that is not JSON of its form is refused`(_ text: String) async throws {
        let refusal = try await refusal { $0.clientData.raw = Array(text.utf8) }
        #expect(refusal == error(.clientDataMalformed, 6))
    }

    @Test(arguments: [#","type":"webauthn.create""#, #","crossOrigin":false"#, #","topOrigin":1"#])
    func `step 6: a member that is there twice, or of another kind, is refused`(_ more: String) async throws {
        let refusal = try await refusal { $0.clientData.others = more }
        #expect(refusal == error(.clientDataMalformed, 6))
    }

    @Test(arguments: ["webauthn.get", "webauthn.Create", "webauthn.create ", ""])
    func `step 7: client data of another ceremony is refused`(_ type: String) async throws {
        let refusal = try await refusal { $0.clientData.type = type }
        #expect(refusal == error(.wrongType, 7))
    }

    @Test func `step 8: another challenge is refused, and its beginning`() async throws {
        let other = try await refusal { $0.clientData.challenge[31] ^= 1 }
        #expect(other == error(.wrongChallenge, 8))
        let beginning = try await refusal { $0.clientData.challenge.removeLast() }
        #expect(beginning == error(.wrongChallenge, 8))
        let none = try await refusal { $0.clientData.challenge = [] }
        #expect(none == error(.wrongChallenge, 8))
    }

    @Test(arguments: [
        "https://example.org", "https://evil.example.com", "http://example.com", "https://example.com:444",
        "https://example.com/", "https://EXAMPLE.com", "https://example.com.evil.example", "null", "",
        "android:apk-key-hash:nyISFFWSraq1Fs3OtjGQOK01NBGxVAyNaRcRUaHZQmx",
    ])
    func `step 9: an origin that is not listed is refused`(_ origin: String) async throws {
        let refusal = try await refusal { $0.clientData.origin = origin }
        #expect(refusal == error(.originNotAllowed, 9))
    }

    @Test func `step 10: a frame of another site is refused unless frames are allowed`() async throws {
        let refused = try await refusal { $0.clientData.crossOrigin = "true" }
        #expect(refused == error(.crossOrigin, 10))
        let allowed = try await refusal {
            $0.clientData.crossOrigin = "true"
            $0.expected.relyingParty = try .example(frames: .allowed(topOrigins: [], unnamed: true))
        }
        #expect(allowed == nil)
        // A page that frames the one of a browser that names nobody is not on the list.
        let unnamed = try await refusal {
            $0.clientData.crossOrigin = "true"
            $0.expected.relyingParty = try .example(frames: .shop)
        }
        #expect(unnamed == error(.crossOrigin, 10))
    }

    @Test func `step 11: a page around the frame is refused unless it is listed`() async throws {
        let unexpected = try await refusal { $0.clientData.topOrigin = "https://shop.example" }
        #expect(unexpected == error(.topOrigin, 11))
        let other = try await refusal {
            $0.clientData.crossOrigin = "true"
            $0.clientData.topOrigin = "https://evil.example"
            $0.expected.relyingParty = try .example(frames: .shop)
        }
        #expect(other == error(.topOriginNotAllowed, 11))
        let listed = try await refusal {
            $0.clientData.crossOrigin = "true"
            $0.clientData.topOrigin = "https://shop.example"
            $0.expected.relyingParty = try .example(frames: .shop)
        }
        #expect(listed == nil)
    }

    @Test func `step 12: the hash is that of the client data as they were sent`() async throws {
        var ceremony = try RegistrationCeremony()
        ceremony.attestItself()
        let sent = try ceremony.response()
        // The same members, and a blank between two of them.
        let respaced = sent.clientDataJSON.split(separator: UInt8(ascii: ","), maxSplits: 1)
            .joined(separator: Array(", ".utf8))
        let response = RegistrationResponse(
            id: sent.id,
            clientDataJSON: Array(respaced),
            attestationObject: sent.attestationObject
        )
        let expected = ceremony.expected
        await #expect(throws: error(.attestation(.signatureInvalid, format: "packed"), 22)) {
            try await Registration.verify(response, expected)
        }
    }
}

extension RegistrationStepTests {
    /// The form of a response; its contents are none.
    static let json = #"""
        {"id":"CQk","rawId":"CQk","type":"public-key","clientExtensionResults":{},"response":{"clientDataJSON":"e30","attestationObject":"oA","transports":["internal"]}}
        """#
}
