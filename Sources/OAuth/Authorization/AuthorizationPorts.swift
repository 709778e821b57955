package import Kernel

/// Port: the interactions that are open.
package protocol InteractionStore: Sendable {
    /// Keeps a new one; of all that there are, the newest `keepingInAll` stay.
    func insert(_ interaction: Interaction, keepingInAll: Int, in transaction: borrowing Transaction) throws

    func find(_ id: Digest256) async throws -> Interaction?

    func find(_ id: Digest256, in transaction: borrowing Transaction) throws -> Interaction?

    /// Writes who has proved what in it, its operation and its consent; `false` if it is gone.
    func update(_ interaction: Interaction, in transaction: borrowing Transaction) throws -> Bool

    /// Ends it; `false` if it has ended.
    func remove(_ id: Digest256, in transaction: borrowing Transaction) throws -> Bool

    func purge(expiredBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int
}

/// Port: the authorization codes that were issued, used ones too for as long as somebody may try them again.
package protocol AuthorizationCodeStore: Sendable {
    func insert(_ code: AuthorizationCode, in transaction: borrowing Transaction) throws

    /// Beside all writes: what anybody can ask costs no turn of theirs.
    func find(_ digest: Digest256) async throws -> AuthorizationCode?

    func find(_ digest: Digest256, in transaction: borrowing Transaction) throws -> AuthorizationCode?

    /// Uses it up: a compare-and-swap, of many at once one gets `true`; `false` as well once it has expired.
    func redeem(_ digest: Digest256, at now: Instant, in transaction: borrowing Transaction) throws -> Bool

    /// Notes which session a code has opened.
    func note(session: SessionID, for digest: Digest256, in transaction: borrowing Transaction) throws

    func purge(expiredBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int
}

/// Port: authorization requests that clients have pushed (RFC 9126), each until it is used.
package protocol PushedRequestStore: Sendable {
    /// Keeps a new one; of all that there are, the newest `keepingInAll` stay.
    /// - Returns: `false`, and nothing is kept, where its client has `mostOfClient` that have not expired.
    func insert(
        _ request: PushedRequest,
        keepingInAll: Int,
        mostOfClient: Int,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Uses it up; `nil` if it was used, has expired, or is another client's, which then changes nothing.
    func take(
        _ digest: Digest256,
        of clientID: String,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> PushedRequest?

    func purge(expiredBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int
}

/// Port: what people have agreed that clients get.
package protocol ConsentStore: Sendable {
    /// One for each session that one was given in, in no order.
    func find(_ account: AccountID, client: String) async throws -> [Consent]

    func find(_ account: AccountID, client: String, in transaction: borrowing Transaction) throws -> [Consent]

    /// Writes it in the place of the one of the same session; of that person's for the client the newest ``mostKept`` stay.
    func put(_ consent: Consent, in transaction: borrowing Transaction) throws

    /// Forgets what that person agreed that this client gets, if there is anything.
    func remove(_ account: AccountID, client: String, in transaction: borrowing Transaction) throws

    /// Forgets what anybody agreed that this client gets.
    func removeAll(of client: String, in transaction: borrowing Transaction) throws

    func purge(expiredBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int
}

extension ConsentStore {
    /// How many sessions' consents are kept for one client: who agrees again and again fills no table.
    package static var mostKept: Int { 32 }
}

/// Port: whose the id token of a hint is (OpenID Connect Core §3.1.2.1, `id_token_hint`).
package protocol IDTokenHints: Sendable {
    /// The account of an id token that this server signed for that client, expired or not; `nil` for any other text.
    func account(of token: String, for client: OAuthClient) -> AccountID?
}
