package import Devices
package import Kernel
package import Operations
import Passkeys
package import Sessions

/// Ends a session, or the sessions of a device or a passkey, with everything that descends from them.
package struct DescentEnding: Sendable {
    let store: any DescentEnds
    let sessions: SessionService
    let links: DeviceLinks
    let cookies: DeviceCookieFactory
    let registered: RegisteredDevices
    let auditLog: any AuditLog

    package init(
        store: any DescentEnds,
        sessions: SessionService,
        links: DeviceLinks,
        cookies: DeviceCookieFactory,
        registered: RegisteredDevices,
        auditLog: any AuditLog
    ) {
        self.store = store
        self.sessions = sessions
        self.links = links
        self.cookies = cookies
        self.registered = registered
        self.auditLog = auditLog
    }

    /// Ends, in the caller's unit of work, a sign-in that its account's owner disowns.
    ///
    /// Everything that was opened or set up in the sign-in ends too, recursively. A session that has ended, or whose
    /// row is gone, still names its descendants. `device` is the owner's own device, which stays.
    package func disown(
        _ session: SessionID,
        of account: AccountID,
        keeping device: DeviceID?,
        in transaction: borrowing Transaction
    ) throws -> EndedSessions {
        if let found = try sessions.find(session, in: transaction), found.account != account { return EndedSessions() }
        var disowned: Set<SessionID> = [session]
        var devices: Set<DeviceID> = []
        if let own = try sessions.find(session, in: transaction)?.linkedDevice?.id { devices.insert(own) }
        var frontier = [session]
        while !frontier.isEmpty {
            devices.formUnion(try store.devices(of: frontier, account, in: transaction))
            let children = try store.children(of: frontier, account, byMeans: true, in: transaction)
            frontier = children.filter { disowned.insert($0).inserted }
        }
        if let device {
            devices.remove(device)
            // The sign-in may have named the device that stays, and left a cookie on it.
            let left = disowned.map { Digest256(sha256: cookies.cookie(for: $0).expose()) }
            try links.forget(left, on: device, of: account, in: transaction)
        }
        var isChanged = try sessions.revoke(disowned, of: account, because: .notMe, in: transaction) > 0
        isChanged = try end(.notMe, Array(disowned), of: account, in: transaction) || isChanged
        // Other sessions on those devices end as if the devices were revoked. Set-ups in those sessions stay: they
        // belong to other sign-ins, and disowning an old sign-in must not end the owner's newer passkeys and faces.
        let further = try store.sessions(on: Array(devices), account, in: transaction)
            .filter { !disowned.contains($0) }
        let onDevices = try end(
            .deviceRevoked,
            further,
            of: account,
            except: nil,
            because: .deviceRevoked,
            in: transaction
        )
        for ended in devices { try revoke(ended, of: account, in: transaction) }
        return EndedSessions(
            all: disowned.union(onDevices.all),
            isChanged: isChanged || onDevices.isChanged,
            devices: devices
        )
    }

    /// Ends one session with its descendants, in the caller's unit of work; `isChanged` is `false` if nothing was left
    /// to end.
    package func revoke(
        _ session: SessionID,
        of account: AccountID,
        because reason: RevocationReason,
        in transaction: borrowing Transaction
    ) throws -> EndedSessions { try revoke([session], of: account, because: reason, in: transaction) }

    /// Ends several sessions with their descendants, in the caller's unit of work.
    func revoke(
        _ sessions: [SessionID],
        of account: AccountID,
        because reason: RevocationReason,
        in transaction: borrowing Transaction
    ) throws -> EndedSessions {
        try end(.sessionRevoked, sessions, of: account, except: nil, because: reason, in: transaction)
    }

    /// Ends the account's sessions on a revoked device, and their descendants, in the caller's unit of work.
    package func end(
        on device: DeviceID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> EndedSessions {
        let roots = try store.sessions(on: [device], account, in: transaction)
        let ended = try end(.deviceRevoked, roots, of: account, except: nil, because: .deviceRevoked, in: transaction)
        return EndedSessions(all: ended.all, isChanged: ended.isChanged, devices: [device])
    }

    /// Ends the account's sessions that began with a removed passkey, and their descendants, in the caller's unit of
    /// work.
    ///
    /// `kept` is the session that removes the passkey.
    package func end(
        openedBy passkey: PasskeyID,
        of account: AccountID,
        except kept: SessionID?,
        in transaction: borrowing Transaction
    ) throws -> EndedSessions {
        let roots = try store.sessions(by: passkey, account, in: transaction)
        return try end(.passkeyRemoved, roots, of: account, except: kept, because: .passkeyRemoved, in: transaction)
    }

    private func end(
        _ remedy: Remedy,
        _ roots: [SessionID],
        of account: AccountID,
        except kept: SessionID?,
        because reason: RevocationReason,
        in transaction: borrowing Transaction
    ) throws -> EndedSessions {
        let all = try descendants(of: roots, account, except: kept, in: transaction)
        guard !all.isEmpty else { return EndedSessions() }
        var isChanged = try sessions.revoke(all, of: account, because: reason, in: transaction) > 0
        isChanged = try end(remedy, Array(all), of: account, in: transaction) || isChanged
        return EndedSessions(all: all, isChanged: isChanged)
    }

    /// Returns the sessions with those that were opened from them, and so on, without `kept` and what comes only from it.
    func descendants(
        of roots: [SessionID],
        _ account: AccountID,
        except kept: SessionID?,
        in transaction: borrowing Transaction
    ) throws -> Set<SessionID> {
        var all = Set(roots)
        if let kept { all.remove(kept) }
        var frontier = Array(all)
        while !frontier.isEmpty {
            let children = try store.children(of: frontier, account, byMeans: false, in: transaction)
            frontier = children.filter { $0 != kept && all.insert($0).inserted }
        }
        return all
    }

    /// Ends the descendants that the remedy reaches, other than sessions and operations.
    private func end(
        _ remedy: Remedy,
        _ sessions: [SessionID],
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        var isChanged = false
        for outcome in Outcome.allCases where remedy.reach(outcome) == .descent {
            let ended = try store.end(outcome, .descent(account, sessions), in: transaction)
            isChanged = isChanged || !ended.isEmpty
            guard outcome == .passkey else { continue }
            for id in ended {
                let record = AuditRecord(PasskeyAuditEvent.removed, of: PasskeyID(id), account: account)
                try auditLog.append(record, in: transaction)
            }
        }
        return isChanged
    }

    /// Unlinks the device, and revokes its registration.
    private func revoke(_ device: DeviceID, of account: AccountID, in transaction: borrowing Transaction) throws {
        try links.revoke(device, of: account, in: transaction)
        guard try registered.revoke(device, of: account, in: transaction) else { return }
        try auditLog.append(AuditRecord(DeviceAuditEvent.revoked, of: device, account: account), in: transaction)
    }
}
