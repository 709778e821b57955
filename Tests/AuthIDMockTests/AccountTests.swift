import Kernel
import MockServing
import Testing

@testable import AuthIDMock

@Suite struct AccountTests {
    @Test func `an account is created once`() throws {
        let rig = Rig()
        try rig.account()
        #expect(throws: ProviderError.accountExists) { try rig.account() }
    }

    @Test func `without auto-enrolment a login needs an accepted enrolment`() throws {
        let rig = Rig { $0.autoEnroll = false }
        try rig.account()
        #expect(throws: ProviderError.notEnrolled) { try rig.login() }
        let failed = try rig.enrolment()
        _ = try rig.backend.with { state, now in try state.decide(failed.id, .rejectLiveness, now: now) }
        #expect(throws: ProviderError.notEnrolled) { try rig.login() }
        let accepted = try rig.enrolment()
        _ = try rig.backend.with { state, now in
            try state.decide(accepted.id, .accept, after: .seconds(1), now: now)
        }
        #expect(throws: ProviderError.notEnrolled) { try rig.login() }
        rig.clock.advance(.seconds(1))
        try rig.login()
    }

    @Test func `a second enrolment does not undo the first`() throws {
        let rig = Rig { $0.autoEnroll = false }
        try rig.account()
        let first = try rig.enrolment()
        _ = try rig.backend.with { state, now in try state.decide(first.id, .accept, now: now) }
        try rig.enrolment()
        try rig.login()
    }

    @Test func `a tester can take an enrolment away`() throws {
        let rig = Rig()
        try rig.account()
        let enrolment = try rig.enrolment()
        try rig.backend.with { state, now in
            _ = try state.decide(enrolment.id, .accept, now: now)
            try state.enroll("a", isEnrolled: false)
        }
        #expect(throws: ProviderError.notEnrolled) { try rig.login() }
    }

    @Test func `a login of an unknown account is a conflict`() {
        #expect(throws: ProviderError.accountUnknown) { try Rig().login("nobody") }
    }

    @Test func `too many accounts are refused, not kept`() throws {
        let rig = Rig { $0.limits.accounts = 2 }
        try rig.account("a")
        try rig.account("b")
        #expect(throws: ProviderError.full) { try rig.account("c") }
    }

    @Test func `a token lasts fifteen minutes and a refresh token one use`() throws {
        let rig = Rig()
        let random = rig.backend.inputs.randomBytes
        let pair = try rig.backend.with { state, now in
            try state.signIn(keyID: "mock-key-id", keyValue: Secret("mock-key-value"), now: now, random: random)
        }
        func isGood(_ token: Secret) -> Bool {
            rig.backend.with { state, now in (try? state.authenticate(token.expose(), now: now)) != nil }
        }
        rig.clock.advance(.seconds(15 * 60 - 1))
        #expect(isGood(pair.access))
        rig.clock.advance(.seconds(1))
        #expect(!isGood(pair.access))
        func renew() throws -> TokenBook.Pair {
            try rig.backend.with { state, now in
                try state.tokens.renew(pair.refresh.expose(), at: now, random: random)
            }
        }
        #expect(isGood(try renew().access))
        #expect(throws: ProviderError.notAuthenticated) { try renew() }
    }

    @Test(arguments: [("mock-key-id", "wrong"), ("wrong", "mock-key-value"), ("", "")])
    func `wrong keys get no token`(_ id: String, _ value: String) {
        let rig = Rig()
        #expect(throws: ProviderError.notAuthenticated) {
            try rig.backend.with { state, now in
                _ = try state.signIn(keyID: id, keyValue: Secret(value), now: now) { _ in [] }
            }
        }
    }
}
