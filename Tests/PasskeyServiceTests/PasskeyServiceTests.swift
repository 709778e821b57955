import Kernel
import MemoryStore
import SoftwareAuthenticator
import Testing

@testable import Passkeys

/// Making passkeys and signing in with them.
struct PasskeyServiceTests {
    private let browser = SoftwareAuthenticator(origin: PasskeyFixture.origin)

    @Test func `a passkey that was made signs its owner in, by name and without`() async throws {
        let fixture = try PasskeyFixture()
        let (credential, passkey) = try await fixture.register("ada")
        let (record, userHandle) = (passkey.credential.record, passkey.credential.userHandle)
        #expect(record.id.bytes == credential.id && userHandle == credential.userHandle)
        #expect(userHandle.count == 32, "random, and no name")
        #expect(record.backup.isEligible && record.backup.isBackedUp && record.isUserVerified)
        #expect(record.authenticator.transports == ["internal", "hybrid"] && record.isDiscoverable == true)
        for (name, withHandle) in [("ada", true), ("ADA", false), (nil, true)] as [(String?, Bool)] {
            let options = try await fixture.signInOptions(name)
            #expect(try PasskeyFixture.allowed(options) == (name == nil ? [] : [credential.idText]))
            let answer = try browser.get(options, with: credential, withHandle: withHandle)
            #expect(try await fixture.signIn(answer) == passkey.account)
        }
        #expect(fixture.told == ["passkey.added"])
    }

    // T-026
    @Test func `attack: an assertion is accepted only with the binding that its challenge was given to`()
        async throws
    {
        let fixture = try PasskeyFixture()
        let (credential, passkey) = try await fixture.register("ada")
        let bindings = [
            ChallengeBinding.ticket(Secret("a")), .id(Secret("a")), .cookie(Secret("a")), .ticket(Secret("b")),
        ]
        for own in bindings {
            let options = try await fixture.signInOptions(nil, PasskeyFixture.ceremony(.required, own))
            let answer = try browser.get(options, with: credential)
            for other in bindings where other != own {
                await #expect(throws: PasskeyError.challengeOver) { try await fixture.signIn(answer, from: other) }
            }
            #expect(try await fixture.signIn(answer, from: own) == passkey.account)
        }
    }

    @Test(
        arguments: [(true, false, true), (false, true, false), (nil, true, true), (nil, false, false)]
            as [(Bool?, Bool, Bool)]
    )
    func `a passkey is found unnamed if the browser said so, or said nothing of one that is kept in several places`(
        _ isDiscoverable: Bool?,
        _ isBackupEligible: Bool,
        _ isFound: Bool
    ) async throws {
        let fixture = try PasskeyFixture()
        var (_, passkey) = try await fixture.register("ada")
        let made = passkey.credential.record
        passkey.credential.record = CredentialRecord(
            id: made.id,
            publicKey: made.publicKey,
            signCount: made.signCount,
            isUserVerified: made.isUserVerified,
            backup: CredentialRecord.BackupState(isEligible: isBackupEligible, isBackedUp: false),
            authenticator: made.authenticator,
            attestation: made.attestation,
            isDiscoverable: isDiscoverable
        )
        #expect(passkey.isFoundUnnamed == isFound)
    }

    // T-099
    @Test func `a further passkey is for the account of the session, and its owner is told`() async throws {
        let fixture = try PasskeyFixture()
        let (first, passkey) = try await fixture.register("ada")
        let ada = passkey.account
        await #expect(throws: PasskeyError.nameTaken) { try await fixture.registrationOptions("ada") }
        let eve = fixture.people.add("eve")
        await #expect(throws: PasskeyError.nameTaken) { try await fixture.registrationOptions("Ada", asker: eve) }
        await #expect(throws: PasskeyError.signInTooOld) {
            try await fixture.registrationOptions("ada", asker: ada, access: .new)
        }
        let options = try await fixture.registrationOptions("ada", asker: ada)
        #expect(options.contains(first.idText), "an authenticator makes no second one")
        let (_, answer) = try browser.create(options)
        let second = try await fixture.keep(answer)
        #expect(second.account == ada && second.credential.userHandle == passkey.credential.userHandle)
        let unnamed = try await fixture.registrationOptions(nil, asker: ada)
        #expect(try await fixture.keep(try browser.create(unnamed).1).account == ada)
        #expect(fixture.told == ["passkey.added", "passkey.added", "mail", "passkey.added", "mail"])
        #expect(try await fixture.owned.list(of: ada).count == 3)
    }

    @Test func `names that can't be one, and closed registrations, are refused before anything is made`() async throws {
        let fixture = try PasskeyFixture()
        await #expect(throws: PasskeyError.badName) { try await fixture.registrationOptions("a@example.com") }
        await #expect(throws: PasskeyError.registrationClosed) {
            try await fixture.registrationOptions("ada", access: .own)
        }
        #expect(fixture.disk.tables.passkeyChallenges.isEmpty)
    }

    // T-074
    @Test func `attack: registration options answer alike for taken and free addresses, and for names where closed`()
        async throws
    {
        let fixture = try PasskeyFixture()
        let eve = fixture.people.add("eve")
        fixture.people.add("ada@example.com")
        fixture.people.add("ada")
        for asker in [nil, eve] {
            for name in ["ada@example.com", "nobody@example.com"] {
                await #expect(throws: PasskeyError.badName) {
                    try await fixture.registrationOptions(name, asker: asker)
                }
            }
            for name in ["ada@example.com", "nobody@example.com", "ada", "nobody"] {
                await #expect(throws: PasskeyError.registrationClosed) {
                    try await fixture.registrationOptions(name, asker: asker, access: .own)
                }
            }
        }
    }

    @Test func `attack: of two registrations of one name the second is refused, and its passkey is not stored`()
        async throws
    {
        let fixture = try PasskeyFixture()
        let first = try browser.create(try await fixture.registrationOptions("ada")).1
        let second = try browser.create(try await fixture.registrationOptions("ada")).1
        let kept = try await fixture.keep(first)
        await #expect(throws: PasskeyError.nameTaken) { try await fixture.keep(second) }
        #expect(fixture.disk.tables.passkeys.values.map(\.id) == [kept.id])
    }

    // T-129
    @Test func `attack: a challenge is accepted once, with its binding, for its ceremony and within ten minutes`()
        async throws
    {
        let fixture = try PasskeyFixture()
        let (credential, _) = try await fixture.register("ada")
        let options = try await fixture.signInOptions("ada")
        let answer = try browser.get(options, with: credential)
        await #expect(throws: PasskeyError.challengeOver) {
            try await fixture.signIn(answer, from: PasskeyFixture.otherBinding)
        }
        await #expect(throws: PasskeyError.challengeOver) {
            try await fixture.signIn(answer, from: .cookie(Secret("a")))
        }
        try await fixture.signIn(answer)
        await #expect(throws: PasskeyError.challengeOver) { try await fixture.signIn(answer) }

        let late = try browser.get(try await fixture.signInOptions("ada"), with: credential)
        fixture.time.advance(by: ChallengePolicy.lifetime)
        await #expect(throws: PasskeyError.challengeOver) { try await fixture.signIn(late) }

        let registering = try await fixture.registrationOptions("bob")
        let crossed = try browser.get(registering, with: credential)
        await #expect(throws: PasskeyError.challengeOver) { try await fixture.signIn(crossed) }
        let made = try browser.create(registering).1
        _ = try await fixture.keep(made)
        await #expect(throws: PasskeyError.challengeOver) { try await fixture.keep(made) }
    }

    // T-129
    @Test func `attack: of eight answers to one challenge at a time one signs in`() async throws {
        let fixture = try PasskeyFixture()
        let (credential, _) = try await fixture.register("ada")
        let answer = try browser.get(try await fixture.signInOptions("ada"), with: credential)
        let good = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { (try? await fixture.signIn(answer)) != nil } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(good == 1)
    }

    @Test func `several challenges are open at a time, and each is answered`() async throws {
        let fixture = try PasskeyFixture()
        let (credential, passkey) = try await fixture.register("ada")
        let prefetched = try await fixture.signInOptions(nil)
        let (first, second) = (try await fixture.signInOptions("ada"), try await fixture.signInOptions("ada"))
        fixture.time.advance(by: .seconds(590))
        for options in [second, prefetched, first] {
            #expect(try await fixture.signIn(try browser.get(options, with: credential)) == passkey.account)
        }
    }

    // T-129
    @Test func `attack: another account's passkey is refused, also with a forged id and user handle`() async throws {
        let fixture = try PasskeyFixture()
        let (adas, _) = try await fixture.register("ada")
        let (bobs, _) = try await fixture.register("bob")
        let asAda = try browser.get(try await fixture.signInOptions("ada"), with: bobs)
        await #expect(throws: PasskeyError.notAccepted) { try await fixture.signIn(asAda) }
        let asNobody = try browser.get(try await fixture.signInOptions("nobody"), with: bobs)
        await #expect(throws: PasskeyError.notAccepted) { try await fixture.signIn(asNobody) }
        let forged = SoftwareAuthenticator.Credential(
            id: adas.id,
            key: bobs.key,
            rpID: adas.rpID,
            userHandle: adas.userHandle
        )
        let signed = try browser.get(try await fixture.signInOptions("ada"), with: forged)
        await #expect(throws: PasskeyError.notAccepted) { try await fixture.signIn(signed) }
        let found = try browser.get(try await fixture.signInOptions(nil), with: forged)
        await #expect(throws: Self.refused(.signatureInvalid, 21)) { try await fixture.signIn(found) }
        let outsider = SoftwareAuthenticator.Credential(id: [1, 2, 3], key: bobs.key, rpID: adas.rpID, userHandle: [9])
        let unknown = try browser.get(try await fixture.signInOptions(nil), with: outsider)
        await #expect(throws: PasskeyError.unknownPasskey) { try await fixture.signIn(unknown) }
    }

    // T-128
    @Test func `attack: an assertion from another origin or without user verification is refused`()
        async throws
    {
        let fixture = try PasskeyFixture()
        let (credential, _) = try await fixture.register("ada")
        let phishing = SoftwareAuthenticator(origin: "https://login.example.net")
        let phished = try phishing.get(try await fixture.signInOptions("ada"), with: credential)
        await #expect(throws: Self.refused(.originNotAllowed, 12)) { try await fixture.signIn(phished) }
        var careless = browser
        careless.flags.isUserVerified = false
        let unverified = try careless.get(try await fixture.signInOptions("ada"), with: credential)
        await #expect(throws: PasskeyError.notAccepted) { try await fixture.signIn(unverified) }
        let unnamed = try careless.get(try await fixture.signInOptions(nil), with: credential)
        await #expect(throws: Self.refused(.userNotVerified, 17)) { try await fixture.signIn(unnamed) }
        let lenient = try await fixture.signInOptions("ada", PasskeyFixture.ceremony(.preferred))
        try await fixture.signIn(try careless.get(lenient, with: credential))
    }

    @Test func `a passkey that has to be discoverable and isn't is refused, as the options asked for it`() async throws
    {
        let fixture = try PasskeyFixture()
        for residentKey in ResidentKeyRequirement.allCases {
            for isDiscoverable in [true, false, nil] {
                var authenticator = browser
                authenticator.isDiscoverable = isDiscoverable
                let name = "\(residentKey) \(isDiscoverable.map { "\($0)" } ?? "silent")"
                let options = try await fixture.registrationOptions(name, residentKey: residentKey)
                let (_, answer) = try authenticator.create(options)
                if residentKey == .required, isDiscoverable == false {
                    let refused = PasskeyError.ceremony(CeremonyError(.notDiscoverable, .registration(28)))
                    await #expect(throws: refused) { try await fixture.keep(answer) }
                } else {
                    #expect(
                        try await fixture.keep(answer).credential.record.isDiscoverable == isDiscoverable,
                        "\(name)"
                    )
                }
            }
        }
    }

    // T-099
    @Test func `a passkey that somebody registered can't be registered again`() async throws {
        let fixture = try PasskeyFixture()
        let options = try await fixture.registrationOptions("ada")
        let (credential, answer) = try browser.create(options)
        let passkey = try await fixture.keep(answer)
        // Eve knows the public key, and says it is hers.
        let eves = try await fixture.registrationOptions("eve")
        let replayed = try Self.answer(answer, to: eves)
        await #expect(throws: PasskeyError.registeredAlready) { try await fixture.keep(replayed) }
        let signedIn = try await fixture.signIn(try browser.get(try await fixture.signInOptions(nil), with: credential))
        #expect(signedIn == passkey.account)
    }

    @Test func `a disabled account's session adds no passkey`() async throws {
        let fixture = try PasskeyFixture()
        let carol = fixture.people.add("carol", isActive: false)
        let answer = try browser.create(try await fixture.registrationOptions("carol", asker: carol)).1
        await #expect(throws: PasskeyError.challengeOver) { try await fixture.keep(answer) }
    }

    static func refused(_ fault: CeremonyStepError, _ step: Int) -> PasskeyError {
        .ceremony(CeremonyError(fault, .authentication(step)))
    }

    /// The same attestation in an answer to another challenge: one without a statement signs nothing.
    private static func answer(_ answer: String, to options: String) throws -> String {
        guard case .object(let asked) = try PasskeyFixture.json(options),
            case .string(let challenge)? = asked["challenge"],
            case .object(let members) = try PasskeyFixture.json(answer),
            case .object(let response)? = members["response"], case .string(let old)? = response["clientDataJSON"]
        else { throw SoftwareAuthenticator.AuthenticatorError.options }
        let data = #"{"type":"webauthn.create","challenge":"\#(challenge)","origin":"\#(PasskeyFixture.origin)"}"#
        return answer.replacing(old, with: Base64URL.encode(Array(data.utf8)))
    }
}
