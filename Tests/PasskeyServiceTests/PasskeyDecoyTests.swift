import Kernel
import MemoryStore
import SoftwareAuthenticator
import Testing

@testable import Passkeys

/// The secrecy of names, and the end of copies.
struct PasskeyDecoyTests {
    private let browser = SoftwareAuthenticator(origin: PasskeyFixture.origin)

    // T-073
    @Test func `attack: an unknown name gets one to three decoy passkeys, the same each time`() async throws {
        let fixture = try PasskeyFixture()
        fixture.people.add("bare")
        for name in ["nobody", "bare"] {
            let decoys = try PasskeyFixture.allowed(try await fixture.signInOptions(name))
            #expect((1...3).contains(decoys.count))
            #expect(try PasskeyFixture.allowed(try await fixture.signInOptions(name.uppercased())) == decoys)
        }
        let others = try PasskeyFixture.allowed(try await fixture.signInOptions("somebody else"))
        #expect(try PasskeyFixture.allowed(try await fixture.signInOptions("nobody")) != others)
    }

    // T-073
    @Test func `attack: forged answers to decoys get the same errors as forged answers to passkeys`() async throws {
        let fixture = try PasskeyFixture()
        for isBackupEligible in [true, false] {
            var own = browser
            own.flags.isBackupEligible = isBackupEligible
            own.flags.isBackedUp = false
            try await fixture.register("ada \(isBackupEligible)", own)
        }
        let attacker = try browser.create(try await fixture.registrationOptions("thief")).0
        for name in ["ada true", "ada false", "nobody", "nemo", "niemand", "nadie"] {
            let options = try await fixture.signInOptions(name)
            let first = try #require(try PasskeyFixture.allowed(options).first)
            let listed = try #require(Base64URL.decode(first))
            for id in [listed, [1, 2, 3]] {
                for handle in Self.handles {
                    for (liar, rpID) in Self.attempts {
                        let forged = SoftwareAuthenticator.Credential(
                            id: id,
                            key: attacker.key,
                            rpID: rpID,
                            userHandle: handle ?? []
                        )
                        let asked = try await fixture.signInOptions(name)
                        let answer = try liar.get(asked, with: forged, withHandle: handle != nil)
                        // Errors that depend on no record are reported, for an answer that might be the name's.
                        let mayBe = id == listed && (handle ?? []).isEmpty
                        let refusal = mayBe && liar.origin != PasskeyFixture.origin ? Self.elsewhere : .notAccepted
                        await #expect(throws: refusal, "\(name), \(handle ?? []), \(liar), \(rpID)") {
                            try await fixture.signIn(answer)
                        }
                    }
                }
            }
        }
    }

    // T-073
    @Test func `attack: forged answers with a decoy's id and no name get the same errors as with a passkey's`()
        async throws
    {
        let fixture = try PasskeyFixture()
        try await fixture.register("ada")
        let attacker = try browser.create(try await fixture.registrationOptions("thief")).0
        for name in ["ada", "nobody", "nemo", "niemand", "nadie"] {
            for id in try PasskeyFixture.allowed(try await fixture.signInOptions(name)) {
                for handle in Self.handles {
                    for (liar, rpID) in Self.attempts {
                        let forged = SoftwareAuthenticator.Credential(
                            id: try #require(Base64URL.decode(id)),
                            key: attacker.key,
                            rpID: rpID,
                            userHandle: handle ?? []
                        )
                        let asked = try await fixture.signInOptions(nil)
                        let answer = try liar.get(asked, with: forged, withHandle: handle != nil)
                        let isNamed = !(handle ?? []).isEmpty
                        let refusal = PasskeyServiceTests.refused(isNamed ? .userHandleMismatch : .userHandleMissing, 6)
                        await #expect(throws: refusal, "\(name), \(handle ?? []), \(liar), \(rpID)") {
                            try await fixture.signIn(answer)
                        }
                    }
                }
            }
        }
    }

    @Test func `a decoy of another relying party is not known here, as a passkey of another is not`() async throws {
        let fixture = try PasskeyFixture()
        let attacker = try browser.create(try await fixture.registrationOptions("thief")).0
        for descriptor in try fixture.decoysElsewhere("nobody") {
            let forged = SoftwareAuthenticator.Credential(
                id: try #require(Base64URL.decode(descriptor.id)),
                key: attacker.key,
                rpID: PasskeyFixture.rpID,
                userHandle: [9]
            )
            let answer = try browser.get(try await fixture.signInOptions(nil), with: forged)
            await #expect(throws: PasskeyError.unknownPasskey) { try await fixture.signIn(answer) }
        }
    }

    // T-073
    @Test func `attack: registering a listed id is refused as registered already, for decoys and passkeys alike`()
        async throws
    {
        let fixture = try PasskeyFixture()
        try await fixture.register("ada")
        let eve = fixture.people.add("eve")
        var listed = try fixture.decoysElsewhere("nobody").map(\.id)
        for name in ["ada", "nobody", "nemo", "niemand"] {
            listed += try PasskeyFixture.allowed(try await fixture.signInOptions(name))
        }
        for (name, asker) in [("mallory", nil), (nil, eve)] as [(String?, AccountID?)] {
            let options = try await fixture.registrationOptions(name, asker: asker)
            for id in listed {
                let bytes = try #require(Base64URL.decode(id))
                var forger = browser
                forger.credentialID = bytes
                let answer = try forger.create(options).1
                await #expect(throws: PasskeyError.registeredAlready) { try await fixture.keep(answer) }
            }
            #expect(fixture.disk.tables.passkeys.values.allSatisfy { $0.account != eve })
            _ = try await fixture.keep(try browser.create(options).1)
        }
    }

    private static let elsewhere = PasskeyServiceTests.refused(.originNotAllowed, 12)

    /// None, an empty one, and two that are nobody's.
    private static let handles: [[UInt8]?] = [nil, [], Array(repeating: 0, count: 32), [9]]

    /// The tries without the key, and the RP ID that each is signed for.
    private static let attempts: [(SoftwareAuthenticator, String)] = {
        let browser = SoftwareAuthenticator(origin: PasskeyFixture.origin)
        let phishing = SoftwareAuthenticator(origin: "https://login.example.net")
        let lies = flags.map { flags in
            var liar = browser
            liar.flags = flags
            return (liar, PasskeyFixture.rpID)
        }
        return lies + [(phishing, PasskeyFixture.rpID), (browser, "example.net"), (phishing, "example.net")]
    }()

    /// All that an authenticator can say of itself.
    private static let flags: [SoftwareAuthenticator.Flags] = (0..<16).map { bits in
        var flags = SoftwareAuthenticator.Flags()
        flags.isUserPresent = bits & 1 != 0
        flags.isUserVerified = bits & 2 != 0
        flags.isBackupEligible = bits & 4 != 0
        flags.isBackedUp = bits & 8 != 0
        return flags
    }

    // T-133
    @Test func `attack: a signature counter that did not grow is recorded, and refused where the policy says so`()
        async throws
    {
        for counter in CounterPolicy.allCases {
            let fixture = try PasskeyFixture(counter: counter)
            var own = browser
            own.flags.isBackupEligible = false
            own.flags.isBackedUp = false
            own.counter = 5
            let (credential, passkey) = try await fixture.register("ada", own)
            own.counter = 9
            try await fixture.signIn(try own.get(try await fixture.signInOptions("ada"), with: credential))
            var copy = own
            for count in [9, 6] as [UInt32] {
                copy.counter = count
                let answer = try copy.get(try await fixture.signInOptions("ada"), with: credential)
                switch counter {
                case .refuse:
                    await #expect(throws: PasskeyServiceTests.refused(.counterNotIncreased, 22)) {
                        try await fixture.signIn(answer)
                    }
                case .flag: try await fixture.signIn(answer)
                }
            }
            let kept = try #require(fixture.disk.tables.passkeys[passkey.id])
            #expect(kept.cloneSigns == 2 && kept.credential.record.signCount == 9)
            #expect(fixture.told == ["passkey.added", "passkey.clone-suspected"], "once")
        }
    }

    @Test func `a passkey that is kept elsewhere from now on is on record`() async throws {
        let fixture = try PasskeyFixture()
        var own = browser
        own.flags.isBackedUp = false
        let (credential, passkey) = try await fixture.register("ada", own)
        own.flags.isBackedUp = true
        try await fixture.signIn(try own.get(try await fixture.signInOptions("ada"), with: credential))
        #expect(fixture.disk.tables.passkeys[passkey.id]?.credential.record.backup.isBackedUp == true)
        #expect(fixture.disk.tables.passkeys[passkey.id]?.lastUsedAt == fixture.time.wall)
        #expect(fixture.told == ["passkey.added", "passkey.backup-changed"])
    }

    @Test func `the last passkey stays, unless there is another way in`() async throws {
        let fixture = try PasskeyFixture()
        let (_, passkey) = try await fixture.register("ada")
        await #expect(throws: PasskeyError.last) { try await fixture.remove(passkey.id, of: passkey.account) }
        let (_, second) = try await fixture.register("ada", asker: passkey.account)
        let eve = fixture.people.add("eve", hasOtherWay: true)
        await #expect(throws: PasskeyError.notFound) { try await fixture.remove(passkey.id, of: eve) }
        try await fixture.remove(passkey.id, of: passkey.account)
        #expect(fixture.told.suffix(2) == ["passkey.removed", "mail"])
        await #expect(throws: PasskeyError.notFound) { try await fixture.remove(passkey.id, of: passkey.account) }
        #expect(try await fixture.owned.list(of: passkey.account).map(\.id) == [second.id])
        let (_, eves) = try await fixture.register("eve", asker: eve)
        try await fixture.remove(eves.id, of: eve)
        #expect(try await fixture.owned.remove(second.id)?.id == second.id, "an operator removes any")
        #expect(
            fixture.endedSessions == [
                "ended \(passkey.id) but \(PasskeyFixture.session)", "ended \(eves.id) but \(PasskeyFixture.session)",
                "ended \(second.id)",
            ],
            "what is not removed ends no session"
        )
    }
}
