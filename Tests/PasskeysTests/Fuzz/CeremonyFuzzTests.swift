import Fuzzing
import Kernel
import Testing

@testable import Passkeys

/// A seeded mutator against whole answers, as text, and through both ceremonies: whatever comes, what is kept or signed in
/// is what an authenticator signed.
@Suite(.timeLimit(.minutes(FuzzRun.minutes))) struct CeremonyFuzzTests {
    private static let tokens = [
        "", "\"", "{", "}", "[", "]", ",", ":", "null", "true", "AA", "-", "_", "=", "\\u0041", #""id""#,
        #""type":"public-key""#, #""response""#, "internal",
    ]

    private static let vectors = W3CVector.all.filter { $0.id != "packed-ed448" }

    /// The input, in parts that are changed before they are written, or as it is written.
    private struct Answer {
        let vector: Int
        var parts: [String: [UInt8]]
        let id: String

        /// With that changed by the mutator: one of the parts, or the text of them all.
        func changed(by random: inout Mutator) -> [UInt8] {
            var answer = self
            let names = parts.keys.sorted()
            let place = random.below(names.count + 1)
            guard place < names.count else { return FuzzedInputs.changed(text, by: &random) }
            let name = names[place]
            answer.parts[name] = FuzzedInputs.changed(parts[name] ?? [], by: &random)
            return answer.text
        }

        private var text: [UInt8] {
            let members = parts.keys.sorted().map { "\"\($0)\":\"\(Base64URL.encode(parts[$0] ?? []))\"" }
            let response = members.joined(separator: ",")
            return Array(
                #"{"id":"\#(id)","rawId":"\#(id)","type":"public-key","response":{\#(response)},"#.utf8
            ) + Array(#""clientExtensionResults":{"credProps":{"rk":true}}}"#.utf8)
        }
    }

    private static func expectation(_ vector: W3CVector) throws -> RegistrationExpectation {
        let root = try TrustAnchors(files: [TrustAnchors.File(name: "root.der", bytes: W3CVector.root())])
        let isAnonymous = ["none-", "packed-self-"].contains { vector.id.hasPrefix($0) }
        let expected = vector.registration.expected
        return RegistrationExpectation(
            challenge: try expected.challengeBytes(),
            relyingParty: try expected.relyingParty(),
            preferences: .strict(expected.requireUserVerification ? .required : .preferred),
            isConditional: false,
            allowsBackupEligible: true,
            attestation: AttestationPolicy(
                isAnonymous ? .indirect : .direct,
                anchors: AttestationTrust(anchors: root),
                formats: AttestationFormats.formats(androidKeys: .any)
            ),
            now: Instant(seconds: 1_795_000_000)
        )
    }

    private static func kept(
        _ response: RegistrationResponse,
        _ expected: RegistrationExpectation
    ) async throws -> CredentialRecord {
        try await Registration.verify(response, expected).record(isRegistered: false)
    }

    @Test func `a changed answer to a registration registers the signed data, or nothing`() async throws {
        let expectations = try Self.vectors.map(Self.expectation)
        let originals = try Self.vectors.map { try RegistrationResponse(json: $0.registration.json) }
        var records: [CredentialRecord] = []
        for (response, expected) in zip(originals, expectations) {
            records.append(try await Self.kept(response, expected))
        }
        let answers = originals.enumerated().map { number, response in
            let parts = ["clientDataJSON": response.clientDataJSON, "attestationObject": response.attestationObject]
            return Answer(vector: number, parts: parts, id: response.id.text)
        }
        let inputs = FuzzedInputs(seed: 55, tokens: Self.tokens, count: FuzzRun.dearInputs(oneIn: 20))
        let make: (inout Mutator) -> (Int, [UInt8]) = { random in
            let answer = random.pick(answers)
            return (answer.vector, answer.changed(by: &random))
        }
        try await inputs.make(make) { made, number in
            let (vector, text) = made
            var about: Comment { "input \(number): \(String(decoding: text, as: UTF8.self))" }
            guard let json = try? JSONReader.read(text), let response = try? RegistrationResponse(json: json),
                let record = try? await Self.kept(response, expectations[vector])
            else { return false }
            let clientData = try ClientData(response.clientDataJSON)
            try #require(Base64URL.decode(clientData.challenge) == expectations[vector].challenge, about)
            try #require(record.id == records[vector].id, about)
            try #require(record.attestation == records[vector].attestation, about)
            // Nobody signs a registration without an attestation, and U2F signs less than the authenticator data.
            guard record.attestation.type != .none else { return true }
            try #require(response.clientDataJSON == originals[vector].clientDataJSON, about)
            try #require(record.publicKey == records[vector].publicKey, about)
            guard record.attestation.format != "fido-u2f" else { return true }
            let data = try AttestationObject(response.attestationObject).authenticatorData
            let original = try AttestationObject(originals[vector].attestationObject).authenticatorData
            try #require(data == original, about)
            return true
        }
    }

    @Test func `a changed answer to a sign-in signs in by the signed data, or nobody`() async throws {
        var owned: [OwnedCredential] = []
        for vector in Self.vectors {
            let response = try RegistrationResponse(json: vector.registration.json)
            owned.append(OwnedCredential(try await Self.kept(response, Self.expectation(vector)), userHandle: [1]))
        }
        let expectations = try Self.vectors.map { vector in
            let expected = vector.authentication.expected
            return AuthenticationExpectation(
                challenge: try expected.challengeBytes(),
                relyingParty: try expected.relyingParty(),
                allowedCredentials: [],
                userHandle: [1],
                requiresUserVerification: expected.requireUserVerification,
                counterPolicy: .refuse
            )
        }
        let originals = try Self.vectors.map { try AuthenticationResponse(json: $0.authentication.json) }
        let answers = originals.enumerated().map { number, response in
            let parts = [
                "clientDataJSON": response.clientDataJSON, "authenticatorData": response.authenticatorData,
                "signature": response.signature,
            ]
            return Answer(vector: number, parts: parts, id: response.id.text)
        }
        let inputs = FuzzedInputs(seed: 56, tokens: Self.tokens, count: FuzzRun.dearInputs(oneIn: 5))
        let make: (inout Mutator) -> (Int, [UInt8]) = { random in
            let answer = random.pick(answers)
            return (answer.vector, answer.changed(by: &random))
        }
        try await inputs.make(make) { made, number in
            let (vector, text) = made
            var about: Comment { "input \(number): \(String(decoding: text, as: UTF8.self))" }
            guard let json = try? JSONReader.read(text), let response = try? AuthenticationResponse(json: json),
                (try? Authentication.verify(response, by: owned[vector], expectations[vector])) != nil
            else { return false }
            let original = originals[vector]
            try #require(response.id == original.id && response.signature == original.signature, about)
            try #require(response.authenticatorData == original.authenticatorData, about)
            try #require(response.clientDataJSON == original.clientDataJSON, about)
            return true
        }
    }
}
