internal import Kernel

/// One daemon at a time exchanges a bank's refresh token, which may be valid once.
///
/// The lease is in the link's row. ``BankSyncs`` does the same within a process.
extension BankService {
    /// The time between two looks at a row that another daemon has leased.
    private static let lookInterval: Duration = .milliseconds(250)
    /// The time for the writes before and after the exchange, and for what the daemons' clocks differ by.
    private static let leaseMargin: Duration = .seconds(12)

    /// Returns the time that a daemon may take to exchange a refresh token and to store the new ones.
    private static func lease(at bank: Bank) -> Duration { bank.exchangeTime + leaseMargin }

    /// Takes the lease of a link's tokens; `nil` if the link changed meanwhile.
    ///
    /// - Throws: ``SyncError/unavailable`` if the write took so long that the lease could end before the exchange does;
    ///   ``StoreError``.
    func leased(_ link: BankLink, at bank: Bank) async throws -> BankLink? {
        let begin = environment.clock.now
        let leased = link.leased(until: environment.now() + Self.lease(at: bank))
        guard try await write(leased, over: link) else { return nil }
        guard environment.clock.now - begin <= Self.leaseMargin * 0.5 else {
            await release(leased)
            throw SyncError.unavailable
        }
        return leased
    }

    /// Gives the lease back without new tokens.
    ///
    /// If that can't be written, the lease ends by itself.
    func release(_ link: BankLink) async { _ = try? await write(link.leased(until: nil), over: link) }

    /// Whether another daemon exchanges the link's refresh token; returns after the link changed.
    ///
    /// `false` if the lease ended without a change, because that daemon was killed or can't write.
    /// - Throws: ``SyncError/unavailable`` if this process stops; ``StoreError``.
    func isExchangedElsewhere(_ link: BankLink, at bank: Bank) async throws -> Bool {
        guard let leaseEnd = link.tokens?.leaseEnd else { return false }
        // No longer than a lease, if this clock was set back.
        let rest = min(leaseEnd - environment.now(), Self.lease(at: bank))
        let end = environment.clock.now + rest
        while environment.clock.now < end {
            guard !syncs.isClosed else { throw SyncError.unavailable }
            try await environment.clock.sleep(until: min(end, environment.clock.now + Self.lookInterval))
            let found = try await records.wallet.link(link.bankID, of: link.account)
            guard found?.version == link.version else { return true }
        }
        return false
    }
}
