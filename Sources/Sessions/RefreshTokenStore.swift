package import Kernel

/// Port: the store of refresh tokens.
package protocol RefreshTokenStore: Sendable {
    /// Returns the refresh token of that key with its session and its successor, in one read.
    func family(of key: Digest256, in transaction: borrowing Transaction) throws -> RefreshFamily?

    /// Adds the successor and names it in its parent's row, which is kept until `parentEndsAt`.
    ///
    /// `isProven`: whether the caller proved the session's device or key. Returns `false`, and changes nothing, if the
    /// parent already has a child.
    func rotate(
        into successor: RefreshToken,
        parentEndsAt: Instant,
        isProven: Bool,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Notes the first use of a token that is not rotated.
    func markUsed(_ key: Digest256, at now: Instant, in transaction: borrowing Transaction) throws
}
