import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Operations
import SignIn
import Testing

@testable import Admin
@testable import Assembly
@testable import HTTPAPI

/// The table of remedies, cell by cell: what each ends of somebody else's, and what it leaves of the owner's.
struct RemedyTableTests {
    // T-031, T-113
    @Test(arguments: Remedy.allCases)
    func `each remedy ends what its row of the table says, and leaves the rest`(_ remedy: Remedy) async throws {
        try await Harness.run(storage: .sqlite) { harness in
            let fixture = try await RemedyFixture(harness)
            for outcome in Outcome.allCases {
                for person in [fixture.owner, fixture.other] {
                    #expect(try await fixture.has(person, outcome), "\(outcome.rawValue) of \(person.number) before")
                }
            }
            try await fixture.apply(remedy)
            for outcome in Outcome.allCases {
                for person in [fixture.owner, fixture.other] {
                    let isOwner = person.number == fixture.owner.number
                    guard let ends = Self.ends(remedy, outcome, ofOwner: isOwner) else { continue }
                    let isLeft = try await fixture.has(person, outcome)
                    #expect(
                        isLeft == !ends,
                        "\(remedy.rawValue): \(outcome.rawValue) of \(isOwner ? "owner" : "other")"
                    )
                }
            }
        }
    }

    @Test(arguments: [
        (Remedy.accountDisabled, PreviewRemedy.Kind.disableAccount), (.sessionsRevoked, .revokeSessions),
        (.addressSet, .setEmail), (.passwordSet, .setPassword), (.sessionRevoked, .revokeSession),
        (.deviceRevoked, .revokeDevice), (.passkeyRemoved, .removePasskey),
    ])
    func `an operator is told before what a remedy ends`(_ remedy: Remedy, _ kind: PreviewRemedy.Kind) async throws {
        try await Harness.run(storage: .sqlite) { harness in
            let fixture = try await RemedyFixture(harness)
            let account = fixture.account.description
            let subject =
                switch kind {
                case .revokeSession: fixture.other.session.description
                case .revokeDevice: fixture.other.device.description
                case .removePasskey: fixture.other.passkey.description
                case .disableAccount, .revokeSessions, .setEmail, .setPassword, .withdrawConsent: account
                }
            let admin = harness.composition.administration
            let told = try await admin.execute(PreviewRemedy(kind, of: subject))
            let before = try await admin.execute(PreviewRemedy(.setEmail, of: account))
            #expect(before.sessions > 1 && before.passkeys > 1 && before.devices > 1 && before.consents > 0)
            #expect(try await admin.execute(PreviewRemedy(.setEmail, of: account)) == before, "it ends nothing")
            try await fixture.apply(remedy)
            let after = try await admin.execute(PreviewRemedy(.setEmail, of: account))
            #expect(told.sessions == before.sessions - after.sessions && told.sessions > 0)
            #expect(told.passkeys == before.passkeys - after.passkeys)
            #expect(told.devices == before.devices - after.devices)
            #expect(told.consents == before.consents - after.consents)
            #expect(told.banks == before.banks - after.banks)
        }
    }

    // T-031
    @Test func `the table in the documents is the one that is carried out`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/remedies.md")
        let text = try String(contentsOf: root, encoding: .utf8)
        let head = ["Remedy"] + Outcome.allCases.map(\.rawValue)
        let rows =
            [head, head.map { _ in "---" }]
            + Remedy.allCases.map { remedy in
                [remedy.rawValue] + Outcome.allCases.map { remedy.reach($0).rawValue }
            }
        let table = rows.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
        #expect(text.contains(table), "docs/remedies.md has to hold this:\n\(table)")
    }

    /// Whether that ends; `nil` for what the remedy itself replaces.
    private static func ends(_ remedy: Remedy, _ outcome: Outcome, ofOwner isOwner: Bool) -> Bool? {
        // There is one password, and it is the other's.
        if outcome == .password, isOwner { return nil }
        switch remedy.reach(outcome) {
        case .none: return false
        case .itself: return outcome == .password ? nil : !isOwner
        case .descent, .others, .notOwn: return !isOwner
        case .byPassword: return !isOwner || remedy == .passwordSet
        case .bySignIn, .all: return true
        case .client: return client(of: remedy) == (ofSite.contains(outcome) ? "bbms" : RemedyFixture.client)
        }
    }

    /// What is of the site's client; all else is of the OAuth client.
    private static let ofSite: Set<Outcome> = [.session, .webSession, .operation]

    private static func client(of remedy: Remedy) -> String {
        remedy == .clientDisabled ? RemedyFixture.client : "bbms"
    }
}
