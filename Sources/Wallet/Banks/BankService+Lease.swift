internal import Kernel

/// One daemon at a time exchanges a bank's refresh token, which may be valid once.
///
/// The lease is in the link's row. ``BankSyncs`` does the same within a process.
extension BankService {
    /// The time between two looks at a row that another daemon has leased.
    private static let lookInterval: Duration = .milliseconds(250)
    /// The time for the write of the new tokens, and for what the daemons' clocks differ by.
    private static let leaseMargin: Duration = .seconds(10)

    /// Returns the time that a daemon may take to exchange a refresh token and to store the new ones.
    static func lease(at bank: Bank) -> Duration { bank.timeout + leaseMargin }

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
