package import Kernel
import Synchronization

/// The progress of a scan, for the browser that began it.
package struct ScanView: Sendable, Equatable {
    package let hint: PendingHint
    /// How long the operation can stay pending.
    package let timeLeft: Duration
    /// The time since the operation began.
    package let age: Duration
    /// Whether a press leads to the scan.
    package let leadsToScan: Bool
    /// Whether the page asked before the scan, so that it still offers "This wasn't me".
    package let isDeniable: Bool
}

// What the browser of the scan sees. No other browser sees any of it.
extension OperationService {
    /// Returns the progress for the browser that began the scan; `nil` for any other browser.
    ///
    /// The read counts as a poll, so that the scan is checked often while its page is open.
    func scanView(_ card: CachedOperation, for visitor: Visitor) -> ScanView? {
        let operation = card.operation
        guard operation.wasConfirmed(by: visitor.cookie) else { return nil }
        let leadsToScan: Bool
        switch operation.state {
        case .opened: leadsToScan = true
        case .pending(let scan): leadsToScan = scan.page != nil || scan.attempt <= OperationMachine.maximumRestarts
        case .created, .approved, .redeemed, .closed, .failed: return nil
        }
        guard case .pending(let hint, _, let timeLeft) = watched(card) else { return nil }
        attend(operation.credentials.publicID)
        return ScanView(
            hint: hint,
            timeLeft: timeLeft,
            age: max(.zero, clock.now - operation.validity.createdAt),
            leadsToScan: leadsToScan,
            isDeniable: operation.asksFirst
        )
    }

    /// Returns the operation's state for the browser that began the scan; `nil` for any other browser.
    ///
    /// It is read from the cache alone.
    func currentView(_ publicID: Digest256, in browser: Digest256) -> PollView? {
        guard let card = attend(publicID), card.isScanned(in: browser) else { return nil }
        return watched(card)
    }

    /// Returns the state without the grant, which only the rightful caller collects.
    private func watched(_ card: CachedOperation) -> PollView {
        let (operation, now) = (card.operation, clock.now)
        return switch operation.state {
        case .created: pending(.created, of: card, at: now)
        case .opened: pending(.linkOpened, of: card, at: now)
        case .pending(let scan): pending(PendingHint(scan.progress), of: card, at: now)
        case .approved, .redeemed, .closed: .delivered(seq: operation.seq)
        case .failed(let code, _): .failed(code, seq: operation.seq)
        }
    }

    /// Returns the operation whose scan began in the browser; `nil` for any other browser, and for an unknown link.
    ///
    /// The browser takes from the operation's budget. Every other request counts against its address.
    /// - Throws: ``LimitExceededError``.
    package func admitScanView(
        ticket: String,
        in browser: Digest256?,
        from source: () -> RequestSource
    ) throws(LimitExceededError) -> Operation? {
        guard let browser, let card = cache.card(ticket: Digest256(sha256: ticket)), card.isScanned(in: browser) else {
            if let wait = limits.takeHere(.strangersPerAddress, source()) { throw refuse(.strangersPerAddress, wait) }
            return nil
        }
        if let limit = limits.rates?.logins.pollsPerOperation,
            let wait = cache.takeScanView(
                of: card.operation.credentials.publicID,
                limit: limit,
                at: environment.clock.now
            )
        {
            throw refuse(.pollsPerOperation, wait)
        }
        return card.operation
    }
}

extension CachedOperation {
    /// Whether the browser last began the scan.
    func isScanned(in browser: Digest256) -> Bool { self.browser?.matches(browser) == true }
}

extension OperationCache {
    /// Takes one request from the budget of viewers without the client's proof; returns the time to wait.
    ///
    /// The client's own budget is separate, so that no page slows its app down.
    func takeScanView(of publicID: Digest256, limit: RateLimit, at now: Uptime) -> Duration? {
        shard(publicID).entries.withLock { entries in
            guard let entry = entries[publicID] else { return nil }
            return limit.take(&entry.bareUse, at: now)
        }
    }
}
