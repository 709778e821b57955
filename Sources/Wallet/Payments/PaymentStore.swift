package import Kernel

/// Port: payments, for as long as they are kept.
package protocol PaymentStore: Sendable {
    func insert(_ payment: Payment, in transaction: borrowing Transaction) throws

    func find(_ id: PaymentID) async throws -> Payment?

    func find(_ id: PaymentID, in transaction: borrowing Transaction) throws -> Payment?

    /// By ``PaymentIdempotency/key``.
    func find(
        key: Digest256,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Payment?

    /// By ``Confirmation/tokenDigest``.
    func find(cardToken: Digest256, in transaction: borrowing Transaction) throws -> Payment?

    /// The newest first: those before that one, or all; of one moment the greater id.
    ///
    /// Empty where `before` is none of the account's.
    func list(of account: AccountID, before: PaymentID?, limit: Int) async throws -> [Payment]

    /// What counts against an account's limits, of the payments that began at `since` or after it.
    ///
    /// Open are those that wait at `now`. None that is older can be: see ``PaymentPolicy/day``.
    func load(
        of account: AccountID,
        at now: Instant,
        since: Instant,
        in transaction: borrowing Transaction
    ) throws -> PaymentLoad

    /// Writes its state over that version: a compare-and-swap, of many at once one gets `true`.
    func update(_ payment: Payment, over version: Int64, in transaction: borrowing Transaction) throws -> Bool

    /// Deletes up to `limit` that began before `instant`, the oldest first; returns how many.
    func purge(createdBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int
}

/// What counts against an account's limits.
package struct PaymentLoad: Sendable, Equatable {
    /// How many are open.
    package let open: Int
    /// When the first of them expires.
    package let firstExpiry: Instant?
    /// How many are recent, whatever became of them.
    package let recent: Int

    package init(open: Int, firstExpiry: Instant?, recent: Int) {
        self.open = open
        self.firstExpiry = firstExpiry
        self.recent = recent
    }
}
