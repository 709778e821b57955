import Kernel
import Operations

/// The columns that a transition writes.
///
/// A terminal state clears the columns of secrets, because a closed operation hands out nothing. The digest of the scan's
/// browser stays, so that this browser can learn the outcome from any daemon.
struct StateColumns {
    private let operation: Operation
    private var failure: ColumnValue = .null
    private var scan: [ColumnValue] = Array(repeating: .null, count: 6)
    private var approvedAt: ColumnValue = .null
    private var grant: [ColumnValue] = Array(repeating: .null, count: 7)

    init(_ operation: Operation) {
        self.operation = operation
        switch operation.state {
        case .created: break
        case .opened(let opening): scan[1] = opening.browser.column
        case .pending(let pending):
            scan = [
                pending.reference.text.column, pending.browser.column, pending.attempt.column,
                pending.startedAt.column, pending.progress.rawValue.column, pending.page.column(\.text.column),
            ]
        case .approved(let approval):
            scan[0] = approval.scan.text.column
            scan[1] = (approval.scanAttempt?.browser).column(\.column)
            scan[2] = (approval.scanAttempt?.number).column(\.column)
            approvedAt = approval.at.column
        case .redeemed(let redeemed):
            grant = [
                redeemed.session.column, redeemed.accessTokenID.column, redeemed.refreshTokenID.column,
                redeemed.issuedAt.column, redeemed.authenticatedAt.column, redeemed.redeemedAt.column,
                Self.collector(redeemed.collector),
            ]
        case .closed(let closure):
            grant[0] = closure.session.column
            grant[6] = Self.collector(closure.collector)
        case .failed(let code, _): failure = code.rawValue.column
        }
    }

    /// Whether the row keeps its scan's browser.
    var keepsBrowser: Bool {
        switch operation.state {
        case .created, .opened, .pending, .approved: false
        case .redeemed, .closed, .failed: true
        }
    }

    /// The values in the order: seq, node, provider, deadline, is_bound, state, failure, the six of the scan, approved_at,
    /// the seven of the grant, ended_at.
    var values: [ColumnValue] {
        [
            operation.seq.column, operation.version.writer.text.column, operation.provider.text.column,
            operation.validity.deadline.column, operation.credentials.isBound.column,
            operation.state.name.rawValue.column, failure,
        ] + scan + [approvedAt] + grant + [operation.state.endedAt.column(\.column)]
    }

    private static func collector(_ collector: Grant.Collector) -> ColumnValue {
        switch collector {
        case .proven: .null
        case .fingerprint(let digest): digest.column
        }
    }
}

extension ColumnReader {
    /// Returns the operation of a row.
    mutating func operation(_ policies: PolicyColumn) throws -> Operation {
        Operation(
            id: try id("id"),
            credentials: Operation.Credentials(
                publicID: try digest("public_id"),
                ticket: try digest("ticket"),
                bindingCookie: try digest("binding_cookie"),
                codeChallenge: try optionalDigest("code_challenge"),
                isBound: try flag("is_bound")
            ),
            request: Operation.Request(
                account: try optionalID("account"),
                device: try optionalID("device"),
                deviceProof: try optionalValue("device_proof"),
                language: try optionalText("language"),
                purpose: try purpose(),
                policy: try policies.policy(from: text("policy"))
            ),
            validity: Operation.Validity(createdAt: try instant("created_at"), deadline: try instant("deadline")),
            provider: ProviderName(try text("provider")),
            state: try state(),
            binding: try binding(),
            version: Operation.Version(seq: try integer("seq"), writer: try nodeName("node"))
        )
    }

    private mutating func state() throws -> OperationState {
        switch try value("state", OperationState.Name.self) {
        case .created: .created
        case .opened: .opened(Opening(browser: try digest("scan_browser")))
        case .pending:
            .pending(
                Scan(
                    reference: ProviderReference(try text("scan_reference")),
                    browser: try digest("scan_browser"),
                    attempt: try count("scan_attempt"),
                    startedAt: try instant("scan_started_at"),
                    progress: try value("scan_progress"),
                    page: try optionalText("scan_page").map { EncryptedScanPage($0) }
                )
            )
        case .approved:
            .approved(
                Approval(
                    at: try instant("approved_at"),
                    scan: ProviderReference(try text("scan_reference")),
                    scanAttempt: try scanAttempt()
                )
            )
        case .redeemed:
            .redeemed(
                Grant(
                    session: try id("session"),
                    accessTokenID: try uuid("access_jti"),
                    refreshTokenID: try uuid("refresh_jti"),
                    issuedAt: try instant("issued_at"),
                    authenticatedAt: try instant("authenticated_at"),
                    redeemedAt: try instant("redeemed_at"),
                    collector: try collector()
                )
            )
        case .closed:
            .closed(Closure(at: try instant("ended_at"), session: try id("session"), collector: try collector()))
        case .failed: .failed(try value("failure"), at: try instant("ended_at"))
        }
    }

    private mutating func scanAttempt() throws -> ScanAttempt? {
        guard let browser = try optionalDigest("scan_browser") else { return nil }
        return ScanAttempt(browser: browser, number: try count("scan_attempt"))
    }

    private mutating func collector() throws -> Grant.Collector {
        try optionalDigest("collector").map { .fingerprint($0) } ?? .proven
    }
}
