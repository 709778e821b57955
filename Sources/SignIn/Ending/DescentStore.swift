package import Kernel

/// Something that was opened or set up in a session, and ends when that session turns out to be somebody else's.
package enum Descendant: Sendable, Equatable {
    /// A session that was opened on the word of another: a client's, from the browser's.
    case session(SessionID)
    /// A session that was opened by means that were set up in another: a face.
    case sessionByMeans(SessionID)
    case passkey(PasskeyID)
    /// The registration of a device.
    case device(DeviceID)
    case deviceCredential(DeviceID)
    case deviceKey(DeviceID)
    case pushToken(DeviceID)
    /// By the provider's name.
    case face(String)
    case password
}

/// Which rows of a kind end.
package enum Selection: Sendable, Equatable {
    /// Those of the account that descend from one of the sessions.
    case descent(AccountID, [SessionID])
    /// Those of the account, but for what descends from one session.
    case account(AccountID, except: SessionID?)
    /// Those of the account that a sign-in by password set up, or one that descends from it, but for one session's.
    case byPassword(AccountID, except: SessionID?)
    /// Those of the account that were set up in a sign-in.
    case bySignIn(AccountID)
    /// Faces of the account, but for the very one that the session began with.
    case notBegunWith(AccountID, SessionID?)
    /// Those of the client.
    case client(String)
}

/// Port: the links from sign-ins to what came of them, and its removal.
///
/// A link is kept on the row of what descends, never worked out from times: what was set up before or after a disowned
/// sign-in, in another, stays.
package protocol DescentStore: Sendable {
    /// Keeps in which session that was opened or set up.
    func note(
        _ descendant: Descendant,
        of account: AccountID,
        from session: SessionID,
        in transaction: borrowing Transaction
    ) throws

    /// The account's sessions that were opened out of one of those; with `byMeans` also by what was set up in one.
    func children(
        of sessions: [SessionID],
        _ account: AccountID,
        byMeans: Bool,
        in transaction: borrowing Transaction
    ) throws -> [SessionID]

    /// The devices that the sessions brought to the account: registered or linked in them.
    func devices(
        of sessions: [SessionID],
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> [DeviceID]

    /// Keeps that the device's push token was set up in the session in which its credential was.
    func notePushTokenByCredential(of device: DeviceID, in transaction: borrowing Transaction) throws

    /// Whether the account's device was registered in that very session, and is not revoked; a session that has merely named
    /// it has not registered it.
    func isRegistered(
        _ device: DeviceID,
        of account: AccountID,
        in session: SessionID,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// The account's sessions on the devices that are not revoked.
    func sessions(
        on devices: [DeviceID],
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> [SessionID]

    /// The account's sessions that are not revoked and began with the passkey.
    func sessions(
        by passkey: PasskeyID,
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> [SessionID]

    /// Notes that the client's sessions that are not revoked are to end; returns how many they are.
    func noteEnding(of client: String, in transaction: borrowing Transaction) throws -> Int

    /// The clients of which sessions are still to end.
    func endingClients(in transaction: borrowing Transaction) throws -> [String]

    /// The next of the client's sessions that are to end, in the order of their ids, each with whose it is.
    func sessions(
        ofEnding client: String,
        after last: SessionID?,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> [(session: SessionID, account: AccountID)]

    /// Notes that all of them have ended, unless there are some left.
    ///
    /// - Returns: Whether all have ended.
    func noteEnd(of client: String, in transaction: borrowing Transaction) throws -> Bool

    /// In which session the account's face at that provider was set up; `nil` where that is not on record.
    func origin(
        ofFaceAt provider: String,
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> SessionID?

    /// Keeps by which face of the account, as it is now, the session was opened.
    func noteFace(
        at provider: String,
        of account: AccountID,
        opening session: SessionID,
        in transaction: borrowing Transaction
    ) throws

    /// Ends the rows of that kind; returns the ids of the passkeys or devices that they were, where they have one.
    @discardableResult
    func end(_ outcome: Outcome, _ selection: Selection, in transaction: borrowing Transaction) throws -> [UUIDBits]
}

extension DescentStore {
    /// Keeps by which face a session was opened, and links it to the one in which that face was set up.
    package func link(
        _ session: SessionID,
        toFaceAt provider: String,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws {
        try noteFace(at: provider, of: account, opening: session, in: transaction)
        guard let origin = try origin(ofFaceAt: provider, account, in: transaction) else { return }
        try note(.sessionByMeans(session), of: account, from: origin, in: transaction)
    }
}
