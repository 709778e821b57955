package import Kernel
package import Operations

/// Operations to test with: each number gives one of its own, always the same.
package enum OperationSample {
    package static let start = Instant(milliseconds: 1_800_000_000_123)
    package static let account = AccountID(UUIDBits(high: 0xA, low: 1))
    package static let device = DeviceID(UUIDBits(high: 0xD, low: 1))
    package static let session = SessionID(UUIDBits(high: 0x5E, low: 0xFFFF_FFFF_FFFF_FFFF))

    package static func policy(
        clientID: String = "app",
        verifier: ClientPolicy.Verifier = .optional,
        initiators: ClientPolicy.Initiators = .anyone,
        landing: LandingPolicy = LandingPolicy()
    ) -> ClientPolicy {
        ClientPolicy(
            clientID: clientID,
            audience: "https://api.example.com",
            verifier: verifier,
            initiators: initiators,
            timing: OperationTiming(
                lifetime: .seconds(180),
                approvalWindow: .seconds(60),
                redemptionWindow: .seconds(120)
            ),
            accessTokenLifetime: .seconds(900),
            refreshTokenLifetime: .seconds(2_592_000),
            landing: landing
        )
    }

    /// An operation whose columns a test can change before it is made.
    package struct Draft: Sendable {
        package var id: OperationRowID
        package let publicID: Digest256
        package let ticket: Digest256
        package var account: AccountID? = OperationSample.account
        package var device: DeviceID? = OperationSample.device
        package var provider = ProviderName("scripted")
        package var policy = OperationSample.policy()
        package var codeChallenge: Digest256?
        package let bindingCookie: Digest256
        package let createdAt: Instant
        package var deadline: Instant
        package var isBound = false
        package var state: OperationState
        package var seq: Int64
        package var writer = NodeName.first
        package var binding = OperationBinding()
        package var purpose = OperationPurpose.login

        package var operation: Operation {
            Operation(
                id: id,
                credentials: Operation.Credentials(
                    publicID: publicID,
                    ticket: ticket,
                    bindingCookie: bindingCookie,
                    codeChallenge: codeChallenge,
                    isBound: isBound
                ),
                request: Operation.Request(
                    account: account,
                    device: device,
                    deviceProof: .credential,
                    language: "sv",
                    purpose: purpose,
                    policy: policy
                ),
                validity: Operation.Validity(createdAt: createdAt, deadline: deadline),
                provider: provider,
                state: state,
                binding: binding,
                version: Operation.Version(seq: seq, writer: writer)
            )
        }
    }

    /// Returns the columns of an operation; change those that the test is about.
    package static func draft(
        _ number: UInt64 = 1,
        state: OperationState = .created,
        seq: Int64 = 1,
        createdAt: Instant = start
    ) -> Draft {
        Draft(
            id: OperationRowID(UUIDBits(high: 0x0E << 56, low: number)),
            publicID: digest("public", number),
            ticket: digest("ticket", number),
            codeChallenge: digest("challenge", number),
            bindingCookie: digest("cookie", number),
            createdAt: createdAt,
            deadline: createdAt + .seconds(180),
            state: state,
            seq: seq
        )
    }

    package static func operation(_ number: UInt64 = 1, state: OperationState = .created, seq: Int64 = 1) -> Operation {
        draft(number, state: state, seq: seq).operation
    }

    package static func digest(_ kind: String, _ number: UInt64) -> Digest256 { Digest256(sha256: "\(kind) \(number)") }

    /// Returns the binding of a cross-device login, with everything that its page shows.
    package static func binding(wrongNumbers: Int = 0) -> OperationBinding {
        OperationBinding(
            mode: .crossDevice,
            origin: LoginOrigin(email: "r•••@example.com", address: "192.0.2.7", agent: "Firefox, Windows"),
            number: PairingNumber(7),
            wrongNumbers: wrongNumbers,
            redirectBack: RedirectBack(url: "https://app.example.com/done", code: digest("return", 0))
        )
    }

    /// An approval request with every optional part.
    package static let order: ApprovalRequest = {
        let order = try? ApprovalRequest(
            message: "Zahlung für “Möbel & Söhne” <3",
            amount: ApprovalRequest.Amount(value: "1250.00", currency: "EUR"),
            payee: "Möbel & Söhne",
            payloadHash: digest("payload", 1)
        )
        guard let order else { preconditionFailure("the sample is no order") }
        return order
    }()

    package static func scan(
        _ reference: String = "scan-1",
        attempt: Int = 1,
        progress: ScanProgress = .userInProvider,
        page: EncryptedScanPage? = nil
    ) -> Scan {
        Scan(
            reference: ProviderReference(reference),
            browser: digest("browser", 1),
            attempt: attempt,
            startedAt: start + .milliseconds(1001),
            progress: progress,
            page: page
        )
    }

    package static func approval(at instant: Instant = start + .milliseconds(30_007)) -> Approval {
        Approval(at: instant, scan: ProviderReference("scan-1"), scanAttempt: scan().scanAttempt)
    }

    package static func grant(
        collector: Grant.Collector = .proven,
        redeemedAt: Instant = start + .milliseconds(31_003)
    ) -> Grant {
        Grant(
            session: session,
            accessTokenID: UUIDBits(high: 0xACCE55, low: 2),
            refreshTokenID: UUIDBits(high: 0x8EF8E5, low: 3),
            issuedAt: redeemedAt + .milliseconds(5),
            authenticatedAt: redeemedAt - .milliseconds(996),
            redeemedAt: redeemedAt,
            collector: collector
        )
    }

    package static func closure(collector: Grant.Collector = .proven) -> Closure {
        Closure(at: start + .milliseconds(40_009), session: session, collector: collector)
    }

    /// Every state, with every shape of its payload.
    package static let everyState: [OperationState] =
        [.created, .opened(Opening(browser: digest("browser", 1)))]
        + ScanProgress.allCases.flatMap { progress in
            [1, 4].map { attempt in
                let page = attempt == 1 ? nil : EncryptedScanPage("key.page")
                return .pending(scan("scan-\(attempt)", attempt: attempt, progress: progress, page: page))
            }
        }
        + [.approved(approval())]
        + collectors.flatMap { [.redeemed(grant(collector: $0)), .closed(closure(collector: $0))] }
        + FailureCode.allCases.map { .failed($0, at: start + .milliseconds(50_011)) }

    private static let collectors: [Grant.Collector] = [.proven, .fingerprint(digest("fingerprint", 1))]
}
