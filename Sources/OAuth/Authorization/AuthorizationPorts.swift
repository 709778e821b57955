package import Kernel

/// Port: stores the open interactions.
package protocol InteractionStore: Sendable {
    /// Stores a new interaction and keeps the newest `keepingInAll` of all interactions.
    func insert(_ interaction: Interaction, keepingInAll: Int, in transaction: borrowing Transaction) throws

    func find(_ id: Digest256, in transaction: borrowing Transaction) throws -> Interaction?

    /// Writes an interaction's proof, operation and consent; returns `false` if the interaction has ended.
    func update(_ interaction: Interaction, in transaction: borrowing Transaction) throws -> Bool

    /// Deletes an interaction; returns `false` if it has ended already.
    func remove(_ id: Digest256, in transaction: borrowing Transaction) throws -> Bool
}

/// Port: stores the issued authorization codes.
///
/// Redeemed codes are kept as long as a replay is possible.
package protocol AuthorizationCodeStore: Sendable {
    func insert(_ code: AuthorizationCode, in transaction: borrowing Transaction) throws

    func find(_ digest: Digest256, in transaction: borrowing Transaction) throws -> AuthorizationCode?

    /// Marks a code as redeemed: of several calls at once, one gets `true`. Returns `false` for an expired code.
    func redeem(_ digest: Digest256, at now: Instant, in transaction: borrowing Transaction) throws -> Bool

    /// Records the session that was opened with a code.
    func note(session: SessionID, for digest: Digest256, in transaction: borrowing Transaction) throws
}

/// Port: stores the authorization requests that clients have pushed (RFC 9126), each until it is used.
package protocol PushedRequestStore: Sendable {
    /// Whether the client has at least that many requests that are unexpired at a time.
    func has(
        _ count: Int,
        of clientID: String,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Stores a pushed request, and keeps at most the newest `keepingInAll` of all pushed requests.
    func insert(
        _ request: PushedRequest,
        keepingInAll: Int,
        in transaction: borrowing Transaction
    ) throws

    /// Deletes a request and returns it; `nil`, without a change, if it was used, has expired, or is another client's.
    func take(
        _ digest: Digest256,
        of clientID: String,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> PushedRequest?
}

/// Port: stores the consents of people to clients.
package protocol ConsentStore: Sendable {
    /// Returns the person's consents to the client, one for each session in which consent was given, in no order.
    func find(_ account: AccountID, client: String, in transaction: borrowing Transaction) throws -> [Consent]

    /// Returns the person's consents to all clients, in the order of the clients' ids.
    func list(of account: AccountID, limit: Int, in transaction: borrowing Transaction) throws -> [Consent]

    /// Replaces the consent of the same session. Of that person's consents to the client, the newest ``mostKept`` are
    /// kept.
    func put(_ consent: Consent, in transaction: borrowing Transaction) throws

    /// Deletes that person's consents to the client.
    func remove(_ account: AccountID, client: String, in transaction: borrowing Transaction) throws

    /// Deletes all people's consents to the client.
    func removeAll(of client: String, in transaction: borrowing Transaction) throws
}

extension ConsentStore {
    /// The most consents, one for each session, that a person has for one client.
    ///
    /// The limit bounds the table.
    package static var mostKept: Int { 32 }
}

/// Port: finds the account that an id token names, for `id_token_hint` (OpenID Connect Core §3.1.2.1).
package protocol IDTokenHints: Sendable {
    /// Returns the account of an id token that this server signed for the client, expired or not; `nil` for any other
    /// text.
    func account(of token: String, for client: OAuthClient) -> AccountID?
}
