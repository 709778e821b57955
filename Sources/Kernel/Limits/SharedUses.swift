/// Port: the uses of limits that all daemons of a database count together.
///
/// A key belongs to one limit. Times are those of the database's server, so that no daemon's clock matters.
///
/// Each method throws ``StoreError`` when the database can't count. The caller then refuses: a limit that nobody counts
/// would be none.
package protocol SharedUses: Sendable {
    /// Takes one request of the key's budget; returns `nil` if there was one, otherwise how long until there is.
    func take(_ key: UInt64, _ limit: RateLimit) async throws(StoreError) -> Duration?
    /// Gives back one request that was taken of the key's budget.
    func giveBack(_ key: UInt64, _ limit: RateLimit) async throws(StoreError)
    /// Marks the key for that time from now, unless it is marked for longer.
    func mark(_ key: UInt64, for time: Duration) async throws(StoreError)
    /// Returns how long each of the keys is still paid or marked for; a key without uses is missing.
    func paid(_ keys: [UInt64]) async throws(StoreError) -> [UInt64: Duration]
}

extension SharedUses {
    /// Returns how long until the key's budget allows a request; `nil` if it allows one now.
    ///
    /// Counts nothing.
    package func wait(_ key: UInt64, _ limit: RateLimit) async throws(StoreError) -> Duration? {
        limit.wait(paidFor: try await paid([key])[key, default: .zero])
    }

    /// Returns whether the key is marked.
    package func isMarked(_ key: UInt64) async throws(StoreError) -> Bool {
        (try await paid([key])[key, default: .zero]) > .zero
    }
}

extension RateLimit {
    /// Returns how long until a request is allowed to a key whose uses are paid for `paid` from now on; `nil` if one is
    /// allowed now.
    package func wait(paidFor paid: Duration) -> Duration? {
        let over = max(paid, .zero) + period - period * burst
        return over > .zero ? over : nil
    }

    /// Returns the part of the limit for one of `count` daemons: that part of the burst, at least 1, and of the rate.
    package func divided(by count: Int) -> RateLimit {
        guard count > 1 else { return self }
        return RateLimit(burst: max(1, burst / count), every: period * count)
    }
}
