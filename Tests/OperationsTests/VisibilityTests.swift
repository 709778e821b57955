import Kernel
import Operations
import StoreContract
import Testing

@Suite struct VisibilityTests {
    /// What a caller brings, for an operation with or without challenge and binding.
    struct Row: Sendable, CustomTestStringConvertible {
        let challenge: Bool
        let isBound: Bool
        let state: OperationState
        let caller: Caller
        let accessLevel: Visibility.AccessLevel
        let mayEnd: Bool
        let testDescription: String

        init(
            _ description: String,
            challenge: Bool,
            bound: Bool = false,
            state: OperationState = .created,
            by caller: Caller,
            is accessLevel: Visibility.AccessLevel,
            mayEnd: Bool = false
        ) {
            testDescription = description
            self.challenge = challenge
            isBound = bound
            self.state = state
            self.caller = caller
            self.accessLevel = accessLevel
            self.mayEnd = mayEnd
        }

        var operation: Operation {
            var draft = OperationSample.draft(1, state: state)
            if !challenge { draft.codeChallenge = nil }
            draft.isBound = isBound
            return draft.operation
        }
    }

    private static let verifier = Caller(challenge: OperationSample.digest("challenge", 1))
    private static let wrong = Caller(challenge: OperationSample.digest("challenge", 2))
    private static let cookie = Caller(bindingCookie: OperationSample.digest("cookie", 1))
    private static let wrongCookie = Caller(bindingCookie: OperationSample.digest("cookie", 2), fingerprint: home)
    private static let bare = Caller(fingerprint: home)
    private static let elsewhere = Caller(fingerprint: OperationSample.digest("fingerprint", 2))
    private static let nobody = Caller()
    private static let session = Caller(session: OperationSample.session)
    private static let home = OperationSample.digest("fingerprint", 1)

    private static let approved = OperationState.approved(OperationSample.approval())
    private static let redeemed = OperationState.redeemed(OperationSample.grant())
    private static let redeemedBare = OperationState.redeemed(OperationSample.grant(collector: .fingerprint(home)))
    private static let closed = OperationState.closed(OperationSample.closure())
    private static let closedBare = OperationState.closed(OperationSample.closure(collector: .fingerprint(home)))

    static let rows: [Row] = [
        Row("the verifier", challenge: true, by: verifier, is: .rightful, mayEnd: true),
        Row("the verifier, approved", challenge: true, state: approved, by: verifier, is: .rightful, mayEnd: true),
        Row("the verifier, redeemed", challenge: true, state: redeemed, by: verifier, is: .rightful, mayEnd: true),
        Row("the verifier, closed", challenge: true, state: closed, by: verifier, is: .rightful, mayEnd: true),
        Row("a wrong verifier", challenge: true, by: wrong, is: .unproven),
        Row("a wrong verifier, approved", challenge: true, state: approved, by: wrong, is: .unproven),
        Row("no verifier", challenge: true, by: nobody, is: .unproven),
        Row("no verifier but the cookie", challenge: true, by: cookie, is: .unproven),
        Row(
            "no verifier but the cookie, bound",
            challenge: true,
            bound: true,
            state: approved,
            by: cookie,
            is: .unproven
        ),
        Row("a token of the session", challenge: true, state: redeemed, by: session, is: .unproven, mayEnd: true),
        Row("a token of the session, closed", challenge: true, state: closed, by: session, is: .unproven, mayEnd: true),
        Row("a token of another session", challenge: true, state: approved, by: session, is: .unproven),

        Row("the cookie", challenge: false, by: cookie, is: .rightful, mayEnd: true),
        Row(
            "the cookie, bound",
            challenge: false,
            bound: true,
            state: approved,
            by: cookie,
            is: .rightful,
            mayEnd: true
        ),
        Row(
            "the cookie, collected by it",
            challenge: false,
            bound: true,
            state: redeemed,
            by: cookie,
            is: .rightful,
            mayEnd: true
        ),
        Row("a wrong cookie", challenge: false, by: wrongCookie, is: .rightful),
        Row("a wrong cookie, bound", challenge: false, bound: true, by: wrongCookie, is: .unproven),
        Row("the bare id", challenge: false, by: bare, is: .rightful),
        Row("the bare id, approved", challenge: false, state: approved, by: bare, is: .rightful),
        Row("the bare id, bound", challenge: false, bound: true, by: bare, is: .unproven),
        Row("the bare id, bound and approved", challenge: false, bound: true, state: approved, by: bare, is: .unproven),
        Row("the bare id that collected", challenge: false, state: redeemedBare, by: bare, is: .rightful),
        Row("the bare id that collected, closed", challenge: false, state: closedBare, by: bare, is: .rightful),
        Row("the bare id from elsewhere", challenge: false, state: redeemedBare, by: elsewhere, is: .unproven),
        Row("the bare id without an address", challenge: false, state: redeemedBare, by: nobody, is: .unproven),
        Row("the bare id from elsewhere, closed", challenge: false, state: closedBare, by: elsewhere, is: .unproven),
        Row("the bare id, collected by a proof", challenge: false, state: redeemed, by: bare, is: .unproven),
        Row("the bare id, closed by a proof", challenge: false, state: closed, by: bare, is: .unproven),
    ]

    // T-001, T-004, T-005
    @Test(arguments: rows)
    func `the access level follows from the proof`(_ row: Row) {
        #expect(Visibility.accessLevel(of: row.caller, to: row.operation) == row.accessLevel)
        #expect(Visibility.mayEnd(row.caller, row.operation) == row.mayEnd)
    }

    // T-003
    @Test func `a proven collector is handed the grant again for 120 seconds`() {
        let grant = OperationSample.grant()
        let operation = OperationSample.operation(1, state: .redeemed(grant))
        let end = grant.redeemedAt + .seconds(120)
        #expect(Visibility.mayRedeliver(grant, of: operation, at: end - .milliseconds(1)))
        #expect(!Visibility.mayRedeliver(grant, of: operation, at: end))
    }

    // T-003
    @Test func `a collector known by its address is handed the grant again for twenty seconds`() {
        let grant = OperationSample.grant(collector: .fingerprint(Self.home))
        let operation = OperationSample.operation(1, state: .redeemed(grant))
        let end = grant.redeemedAt + .seconds(20)
        #expect(Visibility.mayRedeliver(grant, of: operation, at: end - .milliseconds(1)))
        #expect(!Visibility.mayRedeliver(grant, of: operation, at: end))
    }

    // T-008
    @Test(arguments: OperationSample.everyState)
    func `from outside every operation looks like one that nobody opens`(_ state: OperationState) {
        let operation = OperationSample.operation(1, state: state, seq: 9)
        let now = operation.validity.deadline - .milliseconds(1)
        #expect(
            Visibility.outsideView(of: operation, at: now)
                == .pending(hint: .created, seq: 1, timeLeft: .milliseconds(1))
        )
        #expect(Visibility.outsideView(of: operation, at: operation.validity.deadline) == .failed(.expired, seq: 2))
    }
}
