import Kernel
import Testing

@testable import Passkeys

/// Each step of WebAuthn L3 §7.2 that can fail, broken alone; some show in the error of the step that depends on them.
struct AuthenticationStepTests {
    /// The error of an authentication that `change` broke; `nil` if it is accepted.
    private func refusal(
        of algorithm: COSEAlgorithm = .es256,
        _ change: (inout AuthenticationCeremony) throws -> Void
    ) throws -> CeremonyError? {
        var ceremony = try AuthenticationCeremony(algorithm)
        try change(&ceremony)
        do {
            _ = try ceremony.verified()
            return nil
        } catch let error as CeremonyError { return error }
    }

    private func error(_ fault: CeremonyStepError, _ step: Int) -> CeremonyError {
        CeremonyError(fault, .authentication(step))
    }

    @Test(arguments: COSEAlgorithm.allCases)
    func `an authentication in which nothing is broken holds`(_ algorithm: COSEAlgorithm) throws {
        var ceremony = try AuthenticationCeremony(algorithm)
        let named = try ceremony.verified()
        #expect(named.credentialID.bytes == ceremony.data.credentialID && named.userHandle == ceremony.owner)
        #expect(named.isUserVerified && named.counter == .increased && named.signCount == 8)
        ceremony.discover()
        let discovered = try ceremony.verified()
        #expect(discovered == named)
    }

    @Test func `step 1: options of another relying party don't fit the answer`() throws {
        let refusal = try refusal {
            $0.expected.relyingParty = try RelyingParty(
                id: "example.org",
                name: "Other",
                origins: [Origin("https://example.org")],
                relatedOrigins: [Origin("https://example.com")]
            )
        }
        #expect(refusal == error(.wrongRPID, 15))
    }

    @Test func `step 2: without a credential there is nothing to verify`() {
        #expect(throws: error(.response(member: "credential"), 2)) { try AuthenticationResponse(json: .null) }
    }

    @Test(arguments: [
        ("type", #""public-key""#, "null"), ("id", #""id":"CQk""#, #""id":"C+k""#),
        ("rawId", #""rawId":"CQk","#, ""), ("response", #""response":{"#, #""other":{"#),
        ("response.clientDataJSON", "clientDataJSON", "clientData"),
        ("response.authenticatorData", "authenticatorData", "attestationObject"),
        ("response.signature", #""MAA""#, "[48]"), ("response.userHandle", #""BQU""#, #""B""#),
    ])
    func `step 3: a response that is none of an authentication is refused`(
        _ member: String,
        _ good: String,
        _ bad: String
    ) throws {
        let text = Self.json.replacing(good, with: bad, maxReplacements: 1)
        try #require(text != Self.json)
        let json = try JSONReader.read(Array(text.utf8))
        #expect(throws: error(.response(member: member), 3)) { try AuthenticationResponse(json: json) }
    }

    @Test func `step 4: extension results other than an object are refused, and may be missing`() throws {
        let results = #""clientExtensionResults":{},"#
        let wrong = Self.json.replacing(results, with: #""clientExtensionResults":[],"#)
        let json = try JSONReader.read(Array(wrong.utf8))
        #expect(throws: error(.response(member: "clientExtensionResults"), 4)) {
            try AuthenticationResponse(json: json)
        }
        let missing = Self.json.replacing(results, with: "")
        let response = try AuthenticationResponse(json: try JSONReader.read(Array(missing.utf8)))
        #expect(response.extensionResults.isEmpty && response.userHandle == [5, 5])
    }

    @Test func `step 3: an id that is longer than any that was kept is refused`() throws {
        for (length, isTaken) in [(1023, true), (1024, false)] {
            let id = Base64URL.encode(Array(repeating: 9 as UInt8, count: length))
            let json = try JSONReader.read(Array(Self.json.replacing("CQk", with: id).utf8))
            guard isTaken else {
                #expect(throws: error(.response(member: "id"), 3)) { try AuthenticationResponse(json: json) }
                continue
            }
            let response = try AuthenticationResponse(json: json)
            #expect(response.id.bytes.count == length)
        }
    }

    @Test func `step 5: a credential that was not asked for is refused`() throws {
        let refusal = try refusal { $0.expected.allowedCredentials = [CredentialID([1, 2, 3])] }
        #expect(refusal == error(.credentialNotAllowed, 5))
    }

    @Test func `step 6: a credential that nobody has is refused, and one of another account`() throws {
        let unknown = try refusal { $0.isKnown = false }
        #expect(unknown == error(.credentialUnknown, 6))
        let mixedUp = try refusal {
            $0.responseID = [1, 2, 3]
        }
        #expect(mixedUp == error(.credentialUnknown, 6))
        let anothers = try refusal {
            $0.owner = [6]
            $0.userHandle = nil
        }
        #expect(anothers == error(.credentialUnknown, 6))
    }

    @Test func `step 6: the named person is the handle's, if the handle is present`() throws {
        let other = try refusal { $0.userHandle = [6] }
        #expect(other == error(.userHandleMismatch, 6))
        let none = try refusal { $0.userHandle = nil }
        #expect(none == nil)
    }

    @Test func `step 6: where nobody was named the handle is needed, and its owner has the credential`() throws {
        let none = try refusal {
            $0.discover()
            $0.userHandle = nil
        }
        #expect(none == error(.userHandleMissing, 6))
        let other = try refusal {
            $0.discover()
            $0.userHandle = [6]
        }
        #expect(other == error(.userHandleMismatch, 6))
    }

    @Test func `step 7: authenticator data that can't be read are refused`() throws {
        let short = try refusal { $0.sentData = Array($0.data.bytes.dropLast()) }
        #expect(short == error(.authenticatorData(.truncated), 7))
        let long = try refusal { $0.data.rest = [0] }
        #expect(long == error(.authenticatorData(.trailingBytes), 7))
    }

    @Test func `step 8: client data that is not UTF-8 is refused`() throws {
        let refusal = try refusal { $0.clientData.raw = Array(#"{"type":""#.utf8) + [0xFF] + Array(#""}"#.utf8) }
        #expect(refusal == error(.clientDataNotUTF8, 8))
    }

    @Test func `step 9: client data that is not JSON of its form is refused`() throws {
        let refusal = try refusal { $0.clientData.others = "," }
        #expect(refusal == error(.clientDataMalformed, 9))
    }

    @Test func `step 10: client data of a registration is refused`() throws {
        let refusal = try refusal { $0.clientData.type = "webauthn.create" }
        #expect(refusal == error(.wrongType, 10))
    }

    @Test func `step 11: another challenge is refused`() throws {
        let refusal = try refusal { $0.clientData.challenge[0] ^= 0x80 }
        #expect(refusal == error(.wrongChallenge, 11))
    }

    @Test func `step 12: an origin that is not listed is refused, and each that is, is taken`() throws {
        let refused = try refusal { $0.clientData.origin = "https://example.net" }
        #expect(refused == error(.originNotAllowed, 12))
        for origin in [
            "https://example.net", "https://login.example.com:8443",
            "android:apk-key-hash:nyISFFWSraq1Fs3OtjGQOK01NBGxVAyNaRcRUaHZQmw",
        ] {
            let listed = try refusal {
                $0.clientData.origin = origin
                $0.expected.relyingParty = try .example(related: ["https://example.net"])
            }
            #expect(listed == nil, "\(origin)")
        }
    }

    @Test func `step 13: a frame of another site is refused`() throws {
        let refusal = try refusal { $0.clientData.crossOrigin = "true" }
        #expect(refusal == error(.crossOrigin, 13))
        let unnamed = try self.refusal {
            $0.clientData.crossOrigin = "true"
            $0.expected.relyingParty = try .example(frames: .shop)
        }
        #expect(unnamed == error(.crossOrigin, 13))
    }

    @Test func `step 14: a page around the frame is refused unless it is listed`() throws {
        let unexpected = try refusal { $0.clientData.topOrigin = "https://shop.example" }
        #expect(unexpected == error(.topOrigin, 14))
        let other = try refusal {
            $0.clientData.topOrigin = "https://evil.example"
            $0.expected.relyingParty = try .example(frames: .shop)
        }
        #expect(other == error(.topOriginNotAllowed, 14))
        let listed = try refusal {
            $0.clientData.crossOrigin = "true"
            $0.clientData.topOrigin = "https://shop.example"
            $0.expected.relyingParty = try .example(frames: .shop)
        }
        #expect(listed == nil)
    }

    @Test func `step 15: a credential of another relying party is refused`() throws {
        let refusal = try refusal { $0.data.rpID = "example.org" }
        #expect(refusal == error(.wrongRPID, 15))
    }

    @Test func `step 16: without a user's presence it is refused`() throws {
        let refusal = try refusal { $0.data.flags.remove(.userPresent) }
        #expect(refusal == error(.userNotPresent, 16))
    }

    @Test func `step 17: without verification it holds only where none is required`() throws {
        let refused = try refusal { $0.data.flags.remove(.userVerified) }
        #expect(refused == error(.userNotVerified, 17))
        let notRequired = try refusal {
            $0.data.flags.remove(.userVerified)
            $0.expected.requiresUserVerification = false
        }
        #expect(notRequired == nil)
    }

    @Test func `step 18: a passkey that can't be backed up isn't`() throws {
        let refusal = try refusal { $0.data.flags.insert(.backedUp) }
        #expect(refusal == error(.backedUpNotEligible, 18))
    }

    @Test func `step 19: whether copies can be made doesn't change, whether there are may`() throws {
        let gained = try refusal { $0.data.flags.insert(.backupEligible) }
        #expect(gained == error(.backupEligibilityChanged, 19))
        let lost = try refusal {
            $0.credential = try .example($0.key, id: $0.responseID, isBackupEligible: true)
        }
        #expect(lost == error(.backupEligibilityChanged, 19))
        var ceremony = try AuthenticationCeremony()
        ceremony.data.flags.formUnion([.backupEligible, .backedUp])
        ceremony.credential = try .example(ceremony.key, id: ceremony.responseID, isBackupEligible: true)
        let copied = try ceremony.verified()
        #expect(copied.isBackedUp && copied.hasBackupChanged)
    }
}

extension AuthenticationStepTests {
    /// The form of a response; its contents are none.
    static let json = #"""
        {"id":"CQk","rawId":"CQk","type":"public-key","clientExtensionResults":{},"response":{"clientDataJSON":"e30","authenticatorData":"AA","signature":"MAA","userHandle":"BQU"}}
        """#
}
