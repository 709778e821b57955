import Kernel
import MemoryStore
import SoftwareAuthenticator
import Testing

@testable import Passkeys

/// What nobody can learn about names, and what becomes of copies.
struct PasskeyDecoyTests {
    private let browser = SoftwareAuthenticator(origin: PasskeyStage.origin)

    @Test func `attack: a name that nobody has gets passkeys as well, always the same`() async throws {
        let stage = try PasskeyStage()
        stage.people.add("bare")
        for name in ["nobody", "bare"] {
            let decoys = try PasskeyStage.allowed(try await stage.signInOptions(name))
            #expect((1...2).contains(decoys.count))
            #expect(try PasskeyStage.allowed(try await stage.signInOptions(name.uppercased())) == decoys)
        }
        let others = try PasskeyStage.allowed(try await stage.signInOptions("somebody else"))
        #expect(try PasskeyStage.allowed(try await stage.signInOptions("nobody")) != others)
    }

    @Test func `attack: a wrong signature says the same for a decoy and for a passkey`() async throws {
        let stage = try PasskeyStage()
        let (credential, _) = try await stage.register("ada")
        let thief = try browser.create(try await stage.registrationOptions("thief")).0
        var answers: [PasskeyRefusal] = []
        for name in ["ada", "nobody", "nemo", "niemand"] {
            let options = try await stage.signInOptions(name)
            let listed = try #require(try PasskeyStage.allowed(options).first)
            let id = try #require(Base64URL.decode(listed))
            #expect((id == credential.id) == (name == "ada"))
            let forged = SoftwareAuthenticator.Credential(
                id: id,
                key: thief.key,
                rpID: PasskeyStage.rpID,
                userHandle: []
            )
            for isBackupEligible in [true, false] {
                var liar = browser
                liar.flags.isBackupEligible = isBackupEligible
                liar.flags.isBackedUp = false
                do {
                    try await stage.signIn(
                        try liar.get(try await stage.signInOptions(name), with: forged, withHandle: false)
                    )
                    Issue.record("\(name) was signed in")
                } catch let refusal as PasskeyRefusal { answers.append(refusal) }
            }
        }
        let wrong = PasskeyRefusal.ceremony(CeremonyError(.signatureInvalid, .authentication(21)))
        #expect(answers.filter { $0 != wrong }.isEmpty, "whichever flag is tried")
        #expect(answers.count == 8)
    }

    @Test func `attack: a copy of an authenticator is refused and on record, or let in and on record`() async throws {
        for counter in CounterPolicy.allCases {
            let stage = try PasskeyStage(counter: counter)
            var own = browser
            own.flags.isBackupEligible = false
            own.flags.isBackedUp = false
            own.counter = 5
            let (credential, passkey) = try await stage.register("ada", own)
            own.counter = 9
            try await stage.signIn(try own.get(try await stage.signInOptions("ada"), with: credential))
            var copy = own
            for count in [9, 6] as [UInt32] {
                copy.counter = count
                let answer = try copy.get(try await stage.signInOptions("ada"), with: credential)
                switch counter {
                case .refuse:
                    await #expect(throws: PasskeyDeskTests.refused(.counterNotIncreased, 22)) {
                        try await stage.signIn(answer)
                    }
                case .flag: try await stage.signIn(answer)
                }
            }
            let kept = try #require(stage.disk.tables.passkeys[passkey.id])
            #expect(kept.cloneSigns == 2 && kept.record.signCount == 9)
            #expect(stage.told == ["passkey.added", "passkey.clone-suspected"], "once")
        }
    }

    @Test func `a passkey that is kept elsewhere from now on is on record`() async throws {
        let stage = try PasskeyStage()
        var own = browser
        own.flags.isBackedUp = false
        let (credential, passkey) = try await stage.register("ada", own)
        own.flags.isBackedUp = true
        try await stage.signIn(try own.get(try await stage.signInOptions("ada"), with: credential))
        #expect(stage.disk.tables.passkeys[passkey.id]?.record.isBackedUp == true)
        #expect(stage.disk.tables.passkeys[passkey.id]?.lastUsedAt == stage.time.wall)
        #expect(stage.told == ["passkey.added", "passkey.backup-changed"])
    }

    @Test func `the last passkey stays, unless there is another way in`() async throws {
        let stage = try PasskeyStage()
        let (_, passkey) = try await stage.register("ada")
        await #expect(throws: PasskeyRefusal.last) { try await stage.remove(passkey.id, of: passkey.account) }
        let (_, second) = try await stage.register("ada", asker: passkey.account)
        let eve = stage.people.add("eve", hasOtherWay: true)
        await #expect(throws: PasskeyRefusal.notFound) { try await stage.remove(passkey.id, of: eve) }
        try await stage.remove(passkey.id, of: passkey.account)
        #expect(stage.told.suffix(2) == ["passkey.removed", "mail"])
        await #expect(throws: PasskeyRefusal.notFound) { try await stage.remove(passkey.id, of: passkey.account) }
        #expect(try await stage.owned.list(of: passkey.account).map(\.id) == [second.id])
        let (_, eves) = try await stage.register("eve", asker: eve)
        try await stage.remove(eves.id, of: eve)
        #expect(try await stage.owned.remove(second.id)?.id == second.id, "an operator removes any")
    }
}
