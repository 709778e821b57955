package import Kernel

/// Port: stores payments.
package protocol PaymentStore: Sendable {
    func insert(_ payment: Payment, in transaction: borrowing Transaction) throws

    func find(_ id: PaymentID) async throws -> Payment?

    func find(_ id: PaymentID, in transaction: borrowing Transaction) throws -> Payment?

    /// Finds a payment by ``PaymentIdempotency/key``.
    func find(key: Digest256, of account: AccountID, in transaction: borrowing Transaction) throws -> Payment?

    /// Finds a payment by ``Confirmation/tokenDigest``.
    func find(cardToken: Digest256, in transaction: borrowing Transaction) throws -> Payment?

    /// Returns payments, the newest first and at equal times the greater id first: those before `before`, or all if it
    /// is `nil`.
    ///
    /// The list is empty if `before` is not a payment of the account.
    func list(of account: AccountID, before: PaymentID?, limit: Int) async throws -> [Payment]

    /// Returns the counts for an account's limits, of the payments that began at `since` or later.
    ///
    /// A payment is open if it is pending at `now`. Payments from before `since` never are: see
    /// ``PaymentPolicy/lifetime``.
    func load(
        of account: AccountID,
        at now: Instant,
        since: Instant,
        in transaction: borrowing Transaction
    ) throws -> PaymentLoad

    /// Writes the state if the stored version is `version`; of concurrent calls, one gets `true`.
    func update(_ payment: Payment, over version: Int64, in transaction: borrowing Transaction) throws -> Bool
}

/// The counts for an account's limits.
package struct PaymentLoad: Sendable, Equatable {
    /// The number of open payments.
    package let open: Int
    /// The time at which the first open payment expires.
    package let firstExpiry: Instant?
    /// The number of recent payments, whatever their outcome.
    package let recent: Int

    package init(open: Int, firstExpiry: Instant?, recent: Int) {
        self.open = open
        self.firstExpiry = firstExpiry
        self.recent = recent
    }
}
