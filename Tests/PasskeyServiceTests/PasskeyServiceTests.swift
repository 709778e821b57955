import Kernel
import MemoryStore
import SoftwareAuthenticator
import Testing

@testable import Passkeys

/// Making passkeys and signing in with them.
struct PasskeyServiceTests {
    private let browser = SoftwareAuthenticator(origin: PasskeyStage.origin)

    @Test func `a passkey that was made signs its owner in, by name and without`() async throws {
        let stage = try PasskeyStage()
        let (credential, passkey) = try await stage.register("ada")
        #expect(passkey.record.id.bytes == credential.id && passkey.userHandle == credential.userHandle)
        #expect(passkey.userHandle.count == 32, "random, and no name")
        #expect(passkey.record.isBackupEligible && passkey.record.isBackedUp && passkey.record.isUserVerified)
        #expect(passkey.record.transports == ["internal", "hybrid"] && passkey.record.isDiscoverable == true)
        for (name, withHandle) in [("ada", true), ("ADA", false), (nil, true)] as [(String?, Bool)] {
            let options = try await stage.signInOptions(name)
            #expect(try PasskeyStage.allowed(options) == (name == nil ? [] : [credential.idText]))
            let answer = try browser.get(options, with: credential, withHandle: withHandle)
            #expect(try await stage.signIn(answer) == passkey.account)
        }
        #expect(stage.told == ["passkey.added"])
    }

    @Test func `attack: an assertion for a page's ticket answers no other binding, nor theirs the ticket`()
        async throws
    {
        let stage = try PasskeyStage()
        let (credential, passkey) = try await stage.register("ada")
        let bindings = [
            ChallengeBinding.ticket(Secret("a")), .id(Secret("a")), .cookie(Secret("a")), .ticket(Secret("b")),
        ]
        for own in bindings {
            let options = try await stage.signInOptions(nil, PasskeyStage.ceremony(.required, own))
            let answer = try browser.get(options, with: credential)
            for other in bindings where other != own {
                await #expect(throws: PasskeyError.challengeOver) { try await stage.signIn(answer, from: other) }
            }
            #expect(try await stage.signIn(answer, from: own) == passkey.account)
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
        let stage = try PasskeyStage()
        var (_, passkey) = try await stage.register("ada")
        let made = passkey.record
        passkey.record = CredentialRecord(
            id: made.id,
            publicKey: made.publicKey,
            signCount: made.signCount,
            isUserVerified: made.isUserVerified,
            transports: made.transports,
            isBackupEligible: isBackupEligible,
            isBackedUp: false,
            aaguid: made.aaguid,
            attestation: made.attestation,
            isDiscoverable: isDiscoverable
        )
        #expect(passkey.isFoundUnnamed == isFound)
    }

    @Test func `a further passkey is for the account of the session, and its owner is told`() async throws {
        let stage = try PasskeyStage()
        let (first, passkey) = try await stage.register("ada")
        let ada = passkey.account
        await #expect(throws: PasskeyError.nameTaken) { try await stage.registrationOptions("ada") }
        let eve = stage.people.add("eve")
        await #expect(throws: PasskeyError.nameTaken) { try await stage.registrationOptions("Ada", asker: eve) }
        await #expect(throws: PasskeyError.signInTooOld) {
            try await stage.registrationOptions("ada", asker: ada, access: .new)
        }
        let options = try await stage.registrationOptions("ada", asker: ada)
        #expect(options.contains(first.idText), "an authenticator makes no second one")
        let (_, answer) = try browser.create(options)
        let second = try await stage.keep(answer)
        #expect(second.account == ada && second.userHandle == passkey.userHandle)
        let unnamed = try await stage.registrationOptions(nil, asker: ada)
        #expect(try await stage.keep(try browser.create(unnamed).1).account == ada)
        #expect(stage.told == ["passkey.added", "passkey.added", "mail", "passkey.added", "mail"])
        #expect(try await stage.owned.list(of: ada).count == 3)
    }

    @Test func `names that can't be one, and closed registrations, are refused before anything is made`() async throws {
        let stage = try PasskeyStage()
        await #expect(throws: PasskeyError.badName) { try await stage.registrationOptions("a@example.com") }
        await #expect(throws: PasskeyError.registrationClosed) {
            try await stage.registrationOptions("ada", access: .own)
        }
        #expect(stage.disk.tables.passkeyChallenges.isEmpty)
    }

    @Test func `attack: nobody learns whose address it is, nor any name where accounts are not opened`() async throws {
        let stage = try PasskeyStage()
        let eve = stage.people.add("eve")
        stage.people.add("ada@example.com")
        stage.people.add("ada")
        for asker in [nil, eve] {
            for name in ["ada@example.com", "nobody@example.com"] {
                await #expect(throws: PasskeyError.badName) {
                    try await stage.registrationOptions(name, asker: asker)
                }
            }
            for name in ["ada@example.com", "nobody@example.com", "ada", "nobody"] {
                await #expect(throws: PasskeyError.registrationClosed) {
                    try await stage.registrationOptions(name, asker: asker, access: .own)
                }
            }
        }
    }

    @Test func `attack: of two who take one name at a time one gets it, and the other's passkey is not kept`()
        async throws
    {
        let stage = try PasskeyStage()
        let first = try browser.create(try await stage.registrationOptions("ada")).1
        let second = try browser.create(try await stage.registrationOptions("ada")).1
        let kept = try await stage.keep(first)
        await #expect(throws: PasskeyError.nameTaken) { try await stage.keep(second) }
        #expect(stage.disk.tables.passkeys.values.map(\.id) == [kept.id])
    }

    @Test func `attack: a challenge is good once, for whom it was given, for its ceremony, for ten minutes`()
        async throws
    {
        let stage = try PasskeyStage()
        let (credential, _) = try await stage.register("ada")
        let options = try await stage.signInOptions("ada")
        let answer = try browser.get(options, with: credential)
        await #expect(throws: PasskeyError.challengeOver) {
            try await stage.signIn(answer, from: PasskeyStage.otherBinding)
        }
        await #expect(throws: PasskeyError.challengeOver) {
            try await stage.signIn(answer, from: .cookie(Secret("a")))
        }
        try await stage.signIn(answer)
        await #expect(throws: PasskeyError.challengeOver) { try await stage.signIn(answer) }

        let late = try browser.get(try await stage.signInOptions("ada"), with: credential)
        stage.time.advance(by: ChallengePolicy.lifetime)
        await #expect(throws: PasskeyError.challengeOver) { try await stage.signIn(late) }

        let registering = try await stage.registrationOptions("bob")
        let crossed = try browser.get(registering, with: credential)
        await #expect(throws: PasskeyError.challengeOver) { try await stage.signIn(crossed) }
        let made = try browser.create(registering).1
        _ = try await stage.keep(made)
        await #expect(throws: PasskeyError.challengeOver) { try await stage.keep(made) }
    }

    @Test func `attack: of eight answers to one challenge at a time one signs in`() async throws {
        let stage = try PasskeyStage()
        let (credential, _) = try await stage.register("ada")
        let answer = try browser.get(try await stage.signInOptions("ada"), with: credential)
        let good = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { (try? await stage.signIn(answer)) != nil } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(good == 1)
    }

    @Test func `several challenges are open at a time, and each is answered`() async throws {
        let stage = try PasskeyStage()
        let (credential, passkey) = try await stage.register("ada")
        let prefetched = try await stage.signInOptions(nil)
        let (first, second) = (try await stage.signInOptions("ada"), try await stage.signInOptions("ada"))
        stage.time.advance(by: .seconds(590))
        for options in [second, prefetched, first] {
            #expect(try await stage.signIn(try browser.get(options, with: credential)) == passkey.account)
        }
    }

    @Test func `attack: a passkey signs in nobody but its owner`() async throws {
        let stage = try PasskeyStage()
        let (adas, _) = try await stage.register("ada")
        let (bobs, _) = try await stage.register("bob")
        let asAda = try browser.get(try await stage.signInOptions("ada"), with: bobs)
        await #expect(throws: PasskeyError.notAccepted) { try await stage.signIn(asAda) }
        let asNobody = try browser.get(try await stage.signInOptions("nobody"), with: bobs)
        await #expect(throws: PasskeyError.notAccepted) { try await stage.signIn(asNobody) }
        let forged = SoftwareAuthenticator.Credential(
            id: adas.id,
            key: bobs.key,
            rpID: adas.rpID,
            userHandle: adas.userHandle
        )
        let signed = try browser.get(try await stage.signInOptions("ada"), with: forged)
        await #expect(throws: PasskeyError.notAccepted) { try await stage.signIn(signed) }
        let found = try browser.get(try await stage.signInOptions(nil), with: forged)
        await #expect(throws: Self.refused(.signatureInvalid, 21)) { try await stage.signIn(found) }
        let stranger = SoftwareAuthenticator.Credential(id: [1, 2, 3], key: bobs.key, rpID: adas.rpID, userHandle: [9])
        let unknown = try browser.get(try await stage.signInOptions(nil), with: stranger)
        await #expect(throws: PasskeyError.unknownPasskey) { try await stage.signIn(unknown) }
    }

    @Test func `attack: an assertion of a foreign page, or of an authenticator that asked nobody, is refused`()
        async throws
    {
        let stage = try PasskeyStage()
        let (credential, _) = try await stage.register("ada")
        let phishing = SoftwareAuthenticator(origin: "https://login.example.net")
        let phished = try phishing.get(try await stage.signInOptions("ada"), with: credential)
        await #expect(throws: Self.refused(.originNotAllowed, 12)) { try await stage.signIn(phished) }
        var careless = browser
        careless.flags.isUserVerified = false
        let unverified = try careless.get(try await stage.signInOptions("ada"), with: credential)
        await #expect(throws: PasskeyError.notAccepted) { try await stage.signIn(unverified) }
        let unnamed = try careless.get(try await stage.signInOptions(nil), with: credential)
        await #expect(throws: Self.refused(.userNotVerified, 17)) { try await stage.signIn(unnamed) }
        let lenient = try await stage.signInOptions("ada", PasskeyStage.ceremony(.preferred))
        try await stage.signIn(try careless.get(lenient, with: credential))
    }

    @Test func `a passkey that has to be discoverable and isn't is refused, as the options asked for it`() async throws
    {
        let stage = try PasskeyStage()
        for residentKey in ResidentKeyRequirement.allCases {
            for isDiscoverable in [true, false, nil] {
                var authenticator = browser
                authenticator.isDiscoverable = isDiscoverable
                let name = "\(residentKey) \(isDiscoverable.map { "\($0)" } ?? "silent")"
                let options = try await stage.registrationOptions(name, residentKey: residentKey)
                let (_, answer) = try authenticator.create(options)
                if residentKey == .required, isDiscoverable == false {
                    let refused = PasskeyError.ceremony(CeremonyError(.notDiscoverable, .registration(28)))
                    await #expect(throws: refused) { try await stage.keep(answer) }
                } else {
                    #expect(try await stage.keep(answer).record.isDiscoverable == isDiscoverable, "\(name)")
                }
            }
        }
    }

    @Test func `a passkey that somebody registered can't be registered again`() async throws {
        let stage = try PasskeyStage()
        let options = try await stage.registrationOptions("ada")
        let (credential, answer) = try browser.create(options)
        let passkey = try await stage.keep(answer)
        // Eve knows the public key, and says it is hers.
        let eves = try await stage.registrationOptions("eve")
        let replayed = try Self.answer(answer, to: eves)
        await #expect(throws: PasskeyError.registeredAlready) { try await stage.keep(replayed) }
        let signedIn = try await stage.signIn(try browser.get(try await stage.signInOptions(nil), with: credential))
        #expect(signedIn == passkey.account)
    }

    @Test func `a disabled account's session adds no passkey`() async throws {
        let stage = try PasskeyStage()
        let carol = stage.people.add("carol", isActive: false)
        let answer = try browser.create(try await stage.registrationOptions("carol", asker: carol)).1
        await #expect(throws: PasskeyError.challengeOver) { try await stage.keep(answer) }
    }

    static func refused(_ fault: CeremonyStepError, _ step: Int) -> PasskeyError {
        .ceremony(CeremonyError(fault, .authentication(step)))
    }

    /// The same attestation in an answer to another challenge: one without a statement signs nothing.
    private static func answer(_ answer: String, to options: String) throws -> String {
        guard case .object(let asked) = try PasskeyStage.json(options),
            case .string(let challenge)? = asked["challenge"],
            case .object(let members) = try PasskeyStage.json(answer),
            case .object(let response)? = members["response"], case .string(let old)? = response["clientDataJSON"]
        else { throw SoftwareAuthenticator.Fault.options }
        let data = #"{"type":"webauthn.create","challenge":"\#(challenge)","origin":"\#(PasskeyStage.origin)"}"#
        return answer.replacing(old, with: Base64URL.encode(Array(data.utf8)))
    }
}
