package import Kernel

/// Port: the open interactions.
package protocol InteractionStore: Sendable {
    /// Stores a new interaction; of all, the newest `keepingInAll` stay.
    func insert(_ interaction: Interaction, keepingInAll: Int, in transaction: borrowing Transaction) throws

    func find(_ id: Digest256, in transaction: borrowing Transaction) throws -> Interaction?

    /// Writes an interaction's proof, operation and consent; `false` if it has ended.
    func update(_ interaction: Interaction, in transaction: borrowing Transaction) throws -> Bool

    /// Ends an interaction; `false` if it had ended already.
    func remove(_ id: Digest256, in transaction: borrowing Transaction) throws -> Bool
}

/// Port: the issued authorization codes, including used ones for as long as a replay is possible.
package protocol AuthorizationCodeStore: Sendable {
    func insert(_ code: AuthorizationCode, in transaction: borrowing Transaction) throws

    func find(_ digest: Digest256, in transaction: borrowing Transaction) throws -> AuthorizationCode?

    /// Uses a code up, as a compare-and-swap: of many calls at once one gets `true`. An expired code gets `false`.
    func redeem(_ digest: Digest256, at now: Instant, in transaction: borrowing Transaction) throws -> Bool

    /// Records the session that a code has opened.
    func note(session: SessionID, for digest: Digest256, in transaction: borrowing Transaction) throws
}

/// Port: the authorization requests that clients have pushed (RFC 9126), each until it is used.
package protocol PushedRequestStore: Sendable {
    /// Stores a new interaction; of all, the newest `keepingInAll` stay.
    /// - Returns: `false`, and nothing is kept, where its client has `mostOfClient` that have not expired.
    func insert(
        _ request: PushedRequest,
        keepingInAll: Int,
        mostOfClient: Int,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Uses a request up; `nil`, without a change, if it was used, has expired, or is another client's.
    func take(
        _ digest: Digest256,
        of clientID: String,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> PushedRequest?
}

/// Port: the consents of people to clients.
package protocol ConsentStore: Sendable {
    /// Returns one consent for each session in which one was given, in no order.
    func find(_ account: AccountID, client: String, in transaction: borrowing Transaction) throws -> [Consent]

    /// Replaces the consent of the same session; of that person's for the client the newest ``mostKept`` stay.
    func put(_ consent: Consent, in transaction: borrowing Transaction) throws

    /// Deletes that person's consents to the client, if there are any.
    func remove(_ account: AccountID, client: String, in transaction: borrowing Transaction) throws

    /// Deletes everybody's consents to the client.
    func removeAll(of client: String, in transaction: borrowing Transaction) throws
}

extension ConsentStore {
    /// The most sessions whose consents are kept for one client, so that repeated consents do not fill the table.
    package static var mostKept: Int { 32 }
}

/// Port: finds the account of an id token sent as a hint (OpenID Connect Core §3.1.2.1, `id_token_hint`).
package protocol IDTokenHints: Sendable {
    /// Returns the account of an id token that this server signed for that client, expired or not; `nil` for any other text.
    func account(of token: String, for client: OAuthClient) -> AccountID?
}
