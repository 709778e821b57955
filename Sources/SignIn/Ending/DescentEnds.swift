package import Kernel

/// Selects the rows of one kind that end.
package enum Selection: Sendable, Equatable {
    /// The account's rows that descend from one of the sessions.
    case descent(AccountID, [SessionID])
    /// The account's rows, except the descendants of one session.
    case account(AccountID, except: SessionID?)
    /// The account's rows that a sign-in by password, or a descendant of one, set up, except those of one session.
    case byPassword(AccountID, except: SessionID?)
    /// The account's rows that were set up in a sign-in.
    case bySignIn(AccountID)
    /// The account's faces, except the face that the session began with.
    case notBegunWith(AccountID, SessionID?)
    /// The client's rows.
    case client(String)
}

/// Port: ends the descendants of sign-ins.
///
/// Set-ups of other sign-ins stay, whether they are older or newer than a disowned sign-in.
package protocol DescentEnds: DescentCounts {
    /// Returns the sessions that were opened from one of those; with `byMeans` also by a means that was set up in one.
    func children(
        of sessions: [SessionID],
        _ account: AccountID,
        byMeans: Bool,
        in transaction: borrowing Transaction
    ) throws -> [SessionID]

    /// Returns the devices that were registered or linked for the account in the sessions.
    func devices(
        of sessions: [SessionID],
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> [DeviceID]

    /// Returns the account's active sessions on the devices.
    func sessions(
        on devices: [DeviceID],
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> [SessionID]

    /// Returns the account's active sessions that began with the passkey.
    func sessions(
        by passkey: PasskeyID,
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> [SessionID]

    /// Notes that the client's active sessions are to end, and returns their number.
    ///
    /// `now`: The time to note also where there are no sessions, for what else ends; `nil` if there is nothing else.
    func noteEnding(of client: String, at now: Instant?, in transaction: borrowing Transaction) throws -> Int

    /// Returns the time until which what ends of the client was begun; `nil` if nothing is noted.
    func endingLimit(of client: String, in transaction: borrowing Transaction) throws -> Instant?

    /// Returns the clients whose sessions are still to end.
    func endingClients(in transaction: borrowing Transaction) throws -> [String]

    /// Returns the client's next sessions that are to end, with their accounts, in the order of the sessions' ids.
    func sessions(
        ofEnding client: String,
        after last: SessionID?,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> [(session: SessionID, account: AccountID)]

    /// Notes that all of the client's sessions have ended, unless some are left.
    ///
    /// - Returns: Whether all have ended.
    func noteEnd(of client: String, in transaction: borrowing Transaction) throws -> Bool

    /// Ends the rows of that kind, and returns the ids of the ended passkeys or devices, if there are any.
    @discardableResult
    func end(_ outcome: Outcome, _ selection: Selection, in transaction: borrowing Transaction) throws -> [UUIDBits]
}
