import Accounts
import Devices
package import Kernel
import Sessions
package import SignIn

/// The links from sign-ins to the credentials and sessions that they created, in the in-memory store.
package struct MemoryDescentStore: DescentStore {
    package func note(
        _ descendant: Descendant,
        of account: AccountID,
        from session: SessionID,
        in transaction: borrowing Transaction
    ) throws {
        let draft = try transaction.draft()
        switch descendant {
        case .session(let child): draft.tables.identity.link(child, to: session, byMeans: false)
        case .passkey(let id): draft.tables.identity.passkeyOrigins[id] = session
        case .device(let id): draft.tables.identity.devices[id]?.origin = session
        case .deviceCredential(let id): draft.tables.identity.devices[id]?.credentialOrigin = session
        case .deviceKey(let id): draft.tables.identity.devices[id]?.keyOrigin = session
        case .pushToken(let id): draft.tables.identity.devices[id]?.pushTokenOrigin = session
        case .face(let provider):
            let methods = draft.tables.identity.methodsOfFace(setUpIn: session)
            draft.tables.identity.accounts[account]?.faces[provider]?.origin = session
            draft.tables.identity.accounts[account]?.faces[provider]?.originMethods = methods
        case .password: draft.tables.identity.accounts[account]?.passwordOrigin = session
        }
    }

    package func notePushTokenByCredential(of device: DeviceID, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        let origin = draft.tables.identity.devices[device]?.credentialOrigin
        draft.tables.identity.devices[device]?.pushTokenOrigin = origin
    }

    package func children(
        of sessions: [SessionID],
        _ account: AccountID,
        byMeans: Bool,
        in transaction: borrowing Transaction
    ) throws -> [SessionID] {
        let identity = try transaction.draft().tables.identity
        return identity.descents.filter { descent in
            sessions.contains(descent.origin) && (byMeans || !descent.isByMeans)
                && identity.sessions[descent.session]?.session.account == account
        }.map(\.session)
    }

    package func devices(
        of sessions: [SessionID],
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> [DeviceID] {
        let identity = try transaction.draft().tables.identity
        let linked = identity.sessions.values.map(\.session).filter {
            sessions.contains($0.id) && $0.account == account && $0.tokenBinding.proof == .none
        }.compactMap(\.linkedDevice?.id)
        let registered = identity.devices.values.filter { row in
            row.device.account == account && row.revokedAt == nil && row.origin.map(sessions.contains) ?? false
        }.map(\.device.id)
        return Array(Set(linked + registered))
    }

    package func isRegistered(
        _ device: DeviceID,
        of account: AccountID,
        in session: SessionID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard let row = try transaction.draft().tables.identity.devices[device] else { return false }
        return row.device.account == account && row.origin == session && row.revokedAt == nil
    }

    package func sessions(
        on devices: [DeviceID],
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> [SessionID] {
        try transaction.draft().tables.identity.sessions.values.map(\.session).filter {
            $0.account == account && ($0.linkedDevice?.id).map(devices.contains) ?? false
        }.map(\.id)
    }

    package func sessions(
        by passkey: PasskeyID,
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> [SessionID] {
        try transaction.draft().tables.identity.sessions.values.map(\.session)
            .filter { $0.account == account && $0.authentication.passkey == passkey }.map(\.id)
    }

    package func endingLimit(of client: String, in transaction: borrowing Transaction) throws -> Instant? {
        try transaction.draft().tables.identity.clientEndings[client]
    }

    package func noteEnding(of client: String, at now: Instant?, in transaction: borrowing Transaction) throws -> Int {
        let draft = try transaction.draft()
        let open = draft.tables.identity.openSessions(of: client)
        if let last = (open.map(\.createdAt) + [now].compactMap(\.self)).max() {
            let earlier = draft.tables.identity.clientEndings[client]
            draft.tables.identity.clientEndings[client] = earlier.map { max($0, last) } ?? last
        }
        return open.count
    }

    package func endingClients(in transaction: borrowing Transaction) throws -> [String] {
        try transaction.draft().tables.identity.clientEndings.keys.sorted()
    }

    package func sessions(
        ofEnding client: String,
        after last: SessionID?,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> [(session: SessionID, account: AccountID)] {
        try transaction.draft().tables.identity.endingSessions(of: client)
            .filter { session in last.map { $0.bits < session.id.bits } ?? true }
            .sorted { $0.id.bits < $1.id.bits }.prefix(limit)
            .map { (session: $0.id, account: $0.account) }
    }

    package func noteEnd(of client: String, in transaction: borrowing Transaction) throws -> Bool {
        let draft = try transaction.draft()
        if draft.tables.identity.endingSessions(of: client).isEmpty {
            draft.tables.identity.clientEndings[client] = nil
        }
        return draft.tables.identity.clientEndings[client] == nil
    }
}

extension MemoryIdentityTables {
    /// A face that was set up after a password sign-in counts as the password's, and so does one of unknown origin.
    fileprivate func methodsOfFace(setUpIn session: SessionID) -> [String]? {
        let isOfPassword = descents.contains { descent in
            descent.session == session
                && sessions[descent.origin].map { $0.session.authentication.methods == ["pwd"] } ?? true
        }
        return isOfPassword ? ["pwd"] : sessions[session]?.session.authentication.methods
    }

    fileprivate func openSessions(of client: String) -> [Session] {
        sessions.values.map(\.session).filter { $0.client == client && $0.revocation == nil }
    }

    fileprivate func endingSessions(of client: String) -> [Session] {
        guard let last = clientEndings[client] else { return [] }
        return openSessions(of: client).filter { $0.createdAt <= last }
    }
}
