import Kernel
import Testing

@testable import Sessions

/// The machine of rotation: what each presentation of a token sets off.
struct RefreshFamilyTests {
    private static let opened = Instant(seconds: 1_800_000_000)
    private static let rotated = opened + .seconds(3600)
    private static let policy = RefreshPolicy(
        rotation: .always,
        idleLifetime: .seconds(30 * 86400),
        absoluteLifetime: .seconds(90 * 86400)
    )
    private static let fixed = RefreshPolicy(
        rotation: .cookieOnly,
        idleLifetime: .seconds(30 * 86400),
        absoluteLifetime: .seconds(90 * 86400)
    )

    /// The outcome for a token, in one word.
    private static func word(
        _ family: RefreshFamily,
        _ now: Instant,
        proof: RefreshProof = .none,
        carrier: RefreshCarrier = .bearer,
        startedAt: Instant = opened - .seconds(9),
        _ policy: RefreshPolicy = policy
    ) -> String {
        let presentation = RefreshPresentation(carrier: carrier, proof: proof, now: now, serverStartedAt: startedAt)
        do throws(RefreshError) {
            return switch try family.present(presentation, under: policy) {
            case .rotate: "rotate"
            case .again: "again"
            case .keep: "keep"
            case .revoke: "revoke"
            }
        } catch { return "\(error)" }
    }

    @Test func `the newest token is replaced, until it or the session is too old`() {
        let family = Self.family(rotated: false)
        #expect(Self.word(family, Self.rotated) == "rotate")
        #expect(Self.word(family, Self.opened + .seconds(30 * 86400) - .milliseconds(1)) == "rotate")
        #expect(Self.word(family, Self.opened + .seconds(30 * 86400)) == "expired", "idle")
        let late = Self.family(rotated: false, issuedAt: Self.opened + .seconds(80 * 86400))
        #expect(Self.word(late, Self.opened + .seconds(90 * 86400) - .milliseconds(1)) == "rotate")
        #expect(Self.word(late, Self.opened + .seconds(90 * 86400)) == "expired", "absolute")
    }

    @Test
    func `a session of a device's key continues with the key, or as the policy says with the device's credential`() {
        let lenient = RefreshPolicy(
            rotation: .always,
            idleLifetime: .seconds(86400),
            absoluteLifetime: .seconds(86400),
            keySessions: .credential
        )
        let session = Self.family(rotated: false, binding: .deviceKey).session
        for proof in RefreshProof.allCases {
            #expect(Self.policy.takes(proof, of: session) == (proof == .key), "\(proof)")
            #expect(lenient.takes(proof, of: session) == (proof != .none), "\(proof)")
            let methods = session.claiming(proof).authentication.methods
            #expect(methods == (proof == .key ? session.authentication.methods : []), "\(proof)")
        }
        let unbound = Self.family(rotated: false).session
        #expect(RefreshProof.allCases.allSatisfy { unbound.claiming($0) == unbound })
    }

    @Test func `a successor lasts for the idle lifetime and never beyond the session`() throws {
        func end(_ now: Instant) throws -> RefreshEffect {
            try Self.family(rotated: false, issuedAt: now).present(
                RefreshPresentation(carrier: .bearer, proof: .none, now: now, serverStartedAt: Self.opened),
                under: Self.policy
            )
        }
        let soon = Self.opened + .seconds(86400)
        #expect(try end(soon) == .rotate(expiresAt: soon + .seconds(30 * 86400)))
        let late = Self.opened + .seconds(89 * 86400)
        #expect(try end(late) == .rotate(expiresAt: Self.opened + .seconds(90 * 86400)))
    }

    // T-091
    @Test(arguments: [(0, "again"), (29_999, "again"), (30_000, "revoke"), (86_400_000, "revoke")])
    func `a replaced token gets its successor again for 30 s, and then ends the session`(_ after: Int, _ word: String) {
        #expect(Self.word(Self.family(), Self.rotated + .milliseconds(after)) == word)
        let used = Self.family(childUsedAfter: .zero)
        let expected = word == "again" ? "superseded" : word
        #expect(Self.word(used, Self.rotated + .milliseconds(after)) == expected, "once the successor is in use")
    }

    @Test func `the 30 s count from the server's start, if that was later: nobody could ask before`() {
        let restarted = Self.rotated + .seconds(7200)
        for (after, word) in [(0, "again"), (29_999, "again"), (30_000, "revoke")] {
            #expect(Self.word(Self.family(), restarted + .milliseconds(after), startedAt: restarted) == word)
        }
        let used = Self.family(childUsedAfter: .seconds(60))
        #expect(Self.word(used, restarted + .seconds(29), startedAt: restarted) == "superseded")
        #expect(Self.word(used, restarted + .seconds(30), startedAt: restarted) == "revoke")
    }

    // T-092
    @Test(arguments: [RefreshProof.credential, .key])
    func `a proven holder gets the successor again for a day, or until it is in use`(_ proof: RefreshProof) {
        let day = Duration.seconds(86400)
        for (after, word) in [
            (.zero, "again"), (.seconds(31), "again"), (day - .milliseconds(1), "again"), (day, "revoke"),
        ] as [(Duration, String)] {
            #expect(Self.word(Self.family(isRotationProven: true), Self.rotated + after, proof: proof) == word)
        }
        let used = Self.family(childUsedAfter: .seconds(5000), isRotationProven: true)
        for (after, word) in [(5000, "superseded"), (5029, "superseded"), (5030, "revoke")] {
            #expect(Self.word(used, Self.rotated + .seconds(after), proof: proof) == word)
        }
    }

    // T-091
    @Test(arguments: [RefreshProof.credential, .key])
    func `attack: a token replaced without its proof ends the session when the proof comes after 30 s`(
        _ proof: RefreshProof
    ) {
        for (after, word) in [(29_999, "again"), (30_000, "revoke"), (3_600_000, "revoke")] {
            #expect(Self.word(Self.family(), Self.rotated + .milliseconds(after), proof: proof) == word)
        }
    }

    // T-094
    @Test func `attack: a key-bound session's token without the key neither refreshes nor revokes`() {
        for proof in [RefreshProof.none, .credential] {
            let current = Self.family(rotated: false, binding: .deviceKey)
            #expect(Self.word(current, Self.rotated, proof: proof) == "proofRequired")
            let replaced = Self.family(binding: .deviceKey)
            #expect(Self.word(replaced, Self.rotated + .seconds(9000), proof: proof) == "proofRequired")
        }
        #expect(Self.word(Self.family(rotated: false, binding: .deviceKey), Self.rotated, proof: .key) == "rotate")
    }

    @Test func `a refresh of an ended session is refused and does not end it again`() {
        for rotated in [true, false] {
            let family = Self.family(rotated: rotated, revoked: true)
            #expect(Self.word(family, Self.rotated + .seconds(9000)) == "sessionOver")
        }
    }

    @Test func `a successor that has expired is not handed out again`() {
        let rotated = Self.rotated
        for (end, word) in [(10, "again"), (9, "expired"), (1, "expired")] {
            let family = Self.family(isRotationProven: true, childEndsAt: rotated + .seconds(Int64(end)))
            #expect(Self.word(family, rotated + .milliseconds(9999)) == word)
            #expect(Self.word(family, rotated + .milliseconds(9999), proof: .key) == word)
        }
    }

    @Test func `a successor whose row is gone counts as used`() {
        let family = RefreshFamily(
            session: Self.session(),
            presented: Self.token(1, issuedAt: Self.opened, child: 2, firstUsedAt: Self.rotated),
            child: nil
        )
        #expect(Self.word(family, Self.rotated + .seconds(29)) == "superseded")
        #expect(Self.word(family, Self.rotated + .seconds(31), proof: .key) == "revoke")
    }

    // T-093
    @Test func `an app that never stores a new token keeps its own, for twelve hours`() {
        let family = Self.family(rotated: false)
        let hours = Duration.seconds(12 * 3600)
        #expect(Self.word(family, Self.rotated, Self.fixed) == "keep")
        #expect(Self.word(family, Self.opened + hours - .milliseconds(1), Self.fixed) == "keep")
        #expect(Self.word(family, Self.opened + hours, Self.fixed) == "expired")
        #expect(Self.word(family, Self.opened + hours, carrier: .cookie, Self.fixed) == "rotate", "a cookie is kept")
        #expect(Self.word(Self.family(), Self.rotated + .seconds(31), Self.fixed) == "revoke", "once it was replaced")
    }

    private static func session(binding: Session.Binding = .none, revoked: Bool = false) -> Session {
        Session(
            id: SessionID(UUIDBits(high: 5, low: 1)),
            account: AccountID(UUIDBits(high: 0xA, low: 1)),
            client: "app",
            linkedDevice: Session.LinkedDevice(id: DeviceID(UUIDBits(high: 0xD, low: 1))),
            createdAt: opened,
            authentication: Session.Authentication(at: opened, methods: ["face"]),
            tokenBinding: Session.TokenBinding(proof: binding),
            revocation: revoked ? Session.Revocation(at: opened + .seconds(1), reason: .signedOut) : nil
        )
    }

    private static func family(
        rotated isRotated: Bool = true,
        childUsedAfter used: Duration? = nil,
        issuedAt: Instant = opened,
        binding: Session.Binding = .none,
        revoked: Bool = false,
        isRotationProven: Bool = false,
        childEndsAt: Instant? = nil
    ) -> RefreshFamily {
        RefreshFamily(
            session: session(binding: binding, revoked: revoked),
            presented: token(
                1,
                issuedAt: issuedAt,
                child: isRotated ? 2 : nil,
                firstUsedAt: isRotated ? rotated : nil,
                isRotationProven: isRotationProven
            ),
            child: isRotated
                ? token(2, issuedAt: rotated, firstUsedAt: used.map { rotated + $0 }, endsAt: childEndsAt) : nil
        )
    }

    private static func token(
        _ number: UInt64,
        issuedAt: Instant,
        child: UInt64? = nil,
        firstUsedAt: Instant? = nil,
        isRotationProven: Bool = false,
        endsAt: Instant? = nil
    ) -> RefreshToken {
        let session = session().id
        func key(_ generation: UInt64) -> Digest256 { HeldToken(session: session, generation: generation).key }
        return RefreshToken(
            key: key(number),
            session: session,
            lineage: RefreshToken.Lineage(
                family: key(1),
                parent: number == 1 ? nil : key(number - 1),
                child: child.map(key)
            ),
            issuedAt: issuedAt,
            expiresAt: endsAt ?? issuedAt + .seconds(30 * 86400),
            firstUsedAt: firstUsedAt,
            isRotationProven: isRotationProven
        )
    }
}
