package import Kernel

/// The state of an operation; `failed` and `closed` are terminal and never change.
///
/// Its values are on the heap. So an operation in the cache has no room for the largest of them, and its copy counts
/// one reference instead of each text of a scan.
package indirect enum OperationState: Sendable, Equatable {
    /// A client has started the operation, but the link has not been opened.
    case created
    /// The link was opened, but no provider has begun a scan yet.
    case opened(Opening)
    /// A scan is in progress at the provider.
    case pending(Scan)
    /// The provider accepted the face in time, but the result has not been collected.
    case approved(Approval)
    /// The session was opened, or the approval's token was issued. The same grant is handed out again until the caller
    /// acknowledges it or the redemption window ends.
    case redeemed(Grant)
    /// The operation is complete, and nothing more is handed out.
    case closed(Closure)
    /// The operation ended without success.
    case failed(FailureCode, at: Instant)

    /// The state's name, as docs/operations.mermaid and the database have it.
    package var name: Name {
        switch self {
        case .created: .created
        case .opened: .opened
        case .pending: .pending
        case .approved: .approved
        case .redeemed: .redeemed
        case .closed: .closed
        case .failed: .failed
        }
    }

    /// The states' names.
    package enum Name: String, Sendable, CaseIterable {
        case created, opened, pending, approved, redeemed, closed, failed

        package var isTerminal: Bool { self == .closed || self == .failed }

        /// Whether the scan has a verdict, or the operation ended without one.
        package var isDecided: Bool {
            switch self {
            case .created, .opened, .pending: false
            case .approved, .redeemed, .closed, .failed: true
            }
        }
    }

    package var isTerminal: Bool { name.isTerminal }

    /// The time of the operation's end; `nil` in a state that is not terminal.
    package var endedAt: Instant? {
        switch self {
        case .closed(let closure): closure.at
        case .failed(_, let instant): instant
        case .created, .opened, .pending, .approved, .redeemed: nil
        }
    }

    /// Returns an approval with the attempt of its scan, and any other state unchanged.
    func recording(_ scanAttempt: ScanAttempt) -> OperationState {
        guard case .approved(let approval) = self else { return self }
        return .approved(Approval(at: approval.at, scan: approval.scan, scanAttempt: scanAttempt))
    }

    func clamped(to now: Instant) -> OperationState {
        switch self {
        case .pending(let scan): .pending(scan.clamped(to: now))
        case .approved(let approval): .approved(approval.clamped(to: now))
        case .redeemed(let grant): .redeemed(grant.clamped(to: now))
        case .closed(let closure):
            .closed(.init(at: min(closure.at, now), session: closure.session, collector: closure.collector))
        case .failed(let code, let instant): .failed(code, at: min(instant, now))
        case .created, .opened: self
        }
    }
}

/// The browser that opened the link.
package struct Opening: Sendable, Equatable {
    /// SHA-256 of the browser's cookie.
    package let browser: Digest256

    package init(browser: Digest256) { self.browser = browser }
}

/// A scan at the provider.
package struct Scan: Sendable, Equatable {
    /// The provider's reference of the scan.
    ///
    /// Only this scan can approve the operation. Scans of earlier starts are abandoned.
    package let reference: ProviderReference
    /// SHA-256 of the cookie of the browser that was sent to the scan.
    package let browser: Digest256
    /// 1 for the first start.
    package let attempt: Int
    package private(set) var startedAt: Instant
    package private(set) var progress: ScanProgress
    /// The provider's page for the browser; `nil` if it is unknown.
    package private(set) var page: EncryptedScanPage?

    package init(
        reference: ProviderReference,
        browser: Digest256,
        attempt: Int,
        startedAt: Instant,
        progress: ScanProgress,
        page: EncryptedScanPage? = nil
    ) {
        self.reference = reference
        self.browser = browser
        self.attempt = attempt
        self.startedAt = startedAt
        self.progress = progress
        self.page = page
    }

    /// The browser and the number of this attempt, which the browser's return from the provider is compared with.
    package var scanAttempt: ScanAttempt { ScanAttempt(browser: browser, number: attempt) }

    func progressed(to progress: ScanProgress) -> Scan {
        var copy = self
        copy.progress = progress
        return copy
    }

    func withoutPage() -> Scan {
        var copy = self
        copy.page = nil
        return copy
    }

    func clamped(to now: Instant) -> Scan {
        var copy = self
        copy.startedAt = min(startedAt, now)
        return copy
    }
}

/// The progress of a scan, as the provider reports it.
package enum ScanProgress: String, Sendable, CaseIterable {
    /// The person is on the provider's page.
    case userInProvider = "user_in_provider"
    /// The provider is evaluating the scan.
    case processing
}

/// An accepted scan.
package struct Approval: Sendable, Equatable {
    /// The time at which Vestibule learnt of the acceptance.
    package let at: Instant
    package let scan: ProviderReference
    /// The browser that was sent to the scan, and the attempt's number; `nil` in rows of earlier versions.
    package let scanAttempt: ScanAttempt?

    package init(at: Instant, scan: ProviderReference, scanAttempt: ScanAttempt? = nil) {
        self.at = at
        self.scan = scan
        self.scanAttempt = scanAttempt
    }

    func clamped(to now: Instant) -> Approval { Approval(at: min(at, now), scan: scan, scanAttempt: scanAttempt) }
}

/// The browser that was sent to a scan, and the number of the attempt.
package struct ScanAttempt: Sendable, Equatable {
    /// SHA-256 of the browser's cookie.
    package let browser: Digest256
    /// 1 for the first start.
    package let number: Int

    package init(browser: Digest256, number: Int) {
        self.browser = browser
        self.number = number
    }
}

extension Operation {
    /// The attempt of the next scan: 1 for the first start.
    var nextAttempt: Int {
        if case .pending(let scan) = state { scan.attempt + 1 } else { 1 }
    }
}

/// The end of an operation that succeeded.
package struct Closure: Sendable, Equatable {
    package let at: Instant
    package let session: SessionID
    package let collector: Grant.Collector

    package init(at: Instant, session: SessionID, collector: Grant.Collector) {
        self.at = at
        self.session = session
        self.collector = collector
    }
}
