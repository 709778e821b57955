package import Kernel

/// Port: is told of sessions that end, in the unit of work that ends them.
///
/// ``SessionService`` alone revokes sessions, and tells of each. So no way of ending a session can be forgotten.
package protocol SessionEndNotices: Sendable {
    func note(
        _ ended: [RevokedSession],
        of account: AccountID,
        because reason: RevocationReason,
        in transaction: borrowing Transaction
    ) throws
}

/// Tells nobody.
package struct SilentSessionEnds: SessionEndNotices {
    package init() {}

    package func note(
        _ ended: [RevokedSession],
        of account: AccountID,
        because reason: RevocationReason,
        in transaction: borrowing Transaction
    ) throws {}
}
