import Accounts
import Devices
package import Kernel
import OAuth
import Passkeys
import Sessions
package import SignIn
import Wallet

// The endings of a remedy, kind by kind.
extension MemoryDescentStore {
    @discardableResult
    package func end(
        _ outcome: Outcome,
        _ selection: Selection,
        in transaction: borrowing Transaction
    ) throws -> [UUIDBits] {
        let draft = try transaction.draft()
        switch outcome {
        // Revoked one by one by the services that cache them, as operations are ended.
        case .session, .grant, .operation, .mailedCode: return []
        case .webSession: return draft.tables.endWebSessions(selection)
        case .interaction: return draft.tables.endInteractions(selection)
        case .code: return draft.tables.endCodes(selection)
        case .deviceCode: return draft.tables.endDeviceCodes(selection)
        case .consent: return draft.tables.endConsents(selection)
        case .passkey: return draft.tables.endPasskeys(selection)
        case .deviceKey: return draft.tables.endDeviceKeys(selection)
        case .deviceCredential: return draft.tables.endCredentials(selection)
        case .pushToken: return draft.tables.endPushTokens(selection)
        case .face: return draft.tables.endFaces(selection)
        case .password: return draft.tables.endPassword(selection)
        case .card: return draft.tables.endWallet(selection)
        }
    }
}

// What a remedy would end.
extension MemoryDescentStore {
    package func count(
        _ outcome: Outcome,
        _ selection: Selection,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Int {
        var tables = try transaction.draft().tables
        switch outcome {
        case .session:
            let open = Set(tables.identity.refreshTokens.values.filter { $0.expiresAt > now }.map(\.session))
            return tables.identity.sessions.values.map(\.session).count { session in
                session.revocation == nil && open.contains(session.id)
                    && selection.takes(account: session.account, client: session.client, origin: session.id)
            }
        case .consent:
            var left = tables
            let ended = Set(tables.consents.map { [$0.account.description, $0.clientID] })
            _ = left.endConsents(selection)
            return ended.subtracting(left.consents.map { [$0.account.description, $0.clientID] }).count
        case .deviceKey:
            return tables.identity.devices.values.count { row in
                row.revokedAt == nil && row.device.validity.expiresAt > now
                    && selection.takes(account: row.device.account, origin: row.origin)
            }
        case .passkey: return tables.endPasskeys(selection).count
        case .face:
            return tables.identity.accounts.reduce(0) { sum, entry in
                sum
                    + entry.value.faces.values.count {
                        $0.enrolment.isActive && tables.takes($0, of: entry.key, selection)
                    }
            }
        case .password: return tables.endPassword(selection).count
        case .card:
            return tables.bankLinks.values.count { link in
                link.unlinkedAt == nil && selection.takes(account: link.account, origin: nil)
            }
        case .grant, .webSession, .interaction, .code, .deviceCode, .operation, .deviceCredential, .pushToken,
            .mailedCode:
            return 0
        }
    }
}

extension Selection {
    /// Whether a row is selected that has these.
    fileprivate func takes(account: AccountID?, client: String? = nil, origin: SessionID?) -> Bool {
        switch self {
        case .descent(let owner, let sessions): account == owner && origin.map(sessions.contains) ?? false
        case .account(let owner, except: let kept?), .byPassword(let owner, except: let kept?):
            account == owner && origin != kept
        case .account(let owner, except: nil), .byPassword(let owner, except: nil): account == owner
        case .bySignIn(let owner): account == owner && origin != nil
        // Of faces alone.
        case .notBegunWith: false
        case .client(let ended): client == ended
        }
    }
}

extension MemoryTables {
    fileprivate mutating func endWebSessions(_ selection: Selection) -> [UUIDBits] {
        let isOfClient = if case .client = selection { true } else { false }
        let ended = identity.browsers.filter { _, browser in
            guard let session = identity.sessions[browser.session]?.session,
                !isOfClient || session.revocation == nil
            else { return false }
            return selection.takes(account: session.account, client: session.client, origin: session.id)
        }
        for cookie in ended.keys { identity.browsers[cookie] = nil }
        return ended.values.map(\.session.bits)
    }

    fileprivate mutating func endInteractions(_ selection: Selection) -> [UUIDBits] {
        let ended = interactions.filter { interaction in
            let proven = interaction.proven
            return selection.takes(
                account: proven?.account,
                client: interaction.request.clientID,
                origin: proven?.authentication.session
            )
        }
        interactions.removeAll { ended.contains($0) }
        // A request in which nobody has proved anything has no account.
        return ended.map { $0.proven?.account.bits ?? UUIDBits(high: 0, low: 0) }
    }

    /// A redeemed code is remembered: its replay shows that an attacker has it.
    fileprivate mutating func endCodes(_ selection: Selection) -> [UUIDBits] {
        let ended = authorizationCodes.values.filter { code in
            code.redeemedAt == nil
                && selection.takes(
                    account: code.grant.account,
                    client: code.grant.clientID,
                    origin: code.grant.authentication.session
                )
        }
        for code in ended { authorizationCodes[code.digest] = nil }
        return ended.map(\.grant.account.bits)
    }

    /// Requests that wait for a person have no account yet: they end with their client alone.
    fileprivate mutating func endDeviceCodes(_ selection: Selection) -> [UUIDBits] {
        var ended: [UUIDBits] = []
        for (index, authorization) in deviceAuthorizations.enumerated() {
            let approval = authorization.approval
            guard approval != nil || authorization.state == .pending,
                selection.takes(
                    account: approval?.account,
                    client: authorization.access.clientID,
                    origin: approval?.authentication.session
                )
            else { continue }
            deviceAuthorizations[index] = authorization.denied
            ended.append(UUIDBits(high: 0, low: 0))
        }
        return ended
    }

    fileprivate mutating func endConsents(_ selection: Selection) -> [UUIDBits] {
        let ended = consents.filter {
            selection.takes(account: $0.account, client: $0.clientID, origin: $0.origin)
        }
        consents.removeAll { ended.contains($0) }
        return ended.map(\.account.bits)
    }

    fileprivate mutating func endPasskeys(_ selection: Selection) -> [UUIDBits] {
        let ended = passkeys.values.filter { passkey in
            selection.takes(account: passkey.account, origin: identity.passkeyOrigins[passkey.id])
        }
        for passkey in ended { dropPasskey(passkey.id) }
        return ended.map(\.id.bits)
    }

    fileprivate mutating func endDeviceKeys(_ selection: Selection) -> [UUIDBits] {
        endOfDevices(selection) {
            $0.key != nil
        } origin: {
            $0.keyOrigin
        } by: {
            $0.forgetKey()
        }
    }

    fileprivate mutating func endCredentials(_ selection: Selection) -> [UUIDBits] {
        endOfDevices(selection) {
            $0.device.credential != nil
        } origin: {
            $0.credentialOrigin
        } by: {
            $0.device.credential = nil
            $0.credentialOrigin = nil
        }
    }

    fileprivate mutating func endPushTokens(_ selection: Selection) -> [UUIDBits] {
        endOfDevices(selection) {
            $0.pushToken != nil
        } origin: {
            $0.pushTokenOrigin
        } by: {
            $0.forgetPushToken()
        }
    }

    private mutating func endOfDevices(
        _ selection: Selection,
        where hasIt: (MemoryDevice) -> Bool,
        origin: (MemoryDevice) -> SessionID?,
        by body: (inout MemoryDevice) -> Void
    ) -> [UUIDBits] {
        var ended: [UUIDBits] = []
        for (id, row) in identity.devices where hasIt(row) {
            guard selection.takes(account: row.device.account, client: row.device.name.client, origin: origin(row))
            else {
                continue
            }
            var changed = row
            body(&changed)
            identity.devices[id] = changed
            ended.append(id.bits)
        }
        return ended
    }

    /// A face that was set up in a disowned sign-in keeps its row: its name at the provider is not used again.
    fileprivate mutating func endFaces(_ selection: Selection) -> [UUIDBits] {
        var ended: [UUIDBits] = []
        for (id, account) in identity.accounts {
            for (provider, face) in account.faces where takes(face, of: id, selection) {
                switch selection {
                case .account, .notBegunWith: identity.accounts[id]?.faces[provider] = nil
                case .descent, .byPassword, .bySignIn, .client:
                    identity.accounts[id]?.faces[provider]?.setActive(false)
                }
                ended.append(id.bits)
            }
        }
        return ended
    }

    fileprivate func takes(_ face: MemoryFace, of account: AccountID, _ selection: Selection) -> Bool {
        switch selection {
        case .account: selection.takes(account: account, origin: face.origin)
        case .notBegunWith(let owner, let session):
            account == owner && face.enrolment.mark != session.flatMap { identity.sessions[$0]?.face }
        case .byPassword:
            face.enrolment.isActive && face.originMethods == ["pwd"]
                && selection.takes(account: account, origin: face.origin)
        case .descent, .bySignIn, .client:
            face.enrolment.isActive && selection.takes(account: account, origin: face.origin)
        }
    }

    fileprivate mutating func endPassword(_ selection: Selection) -> [UUIDBits] {
        let ended = identity.accounts.values.filter { account in
            account.passwordHash != nil && selection.takes(account: account.id, origin: account.passwordOrigin)
        }
        for account in ended {
            identity.accounts[account.id]?.passwordHash = nil
            identity.accounts[account.id]?.passwordOrigin = nil
        }
        return ended.map(\.id.bits)
    }

    /// Cards go with their bank, and a bank's enrolment that is in progress ends.
    fileprivate mutating func endWallet(_ selection: Selection) -> [UUIDBits] {
        bankEnrolments.removeAll { selection.takes(account: $0.initiator.account, origin: nil) }
        let ended = bankLinks.values.filter { selection.takes(account: $0.account, origin: nil) }
        for link in ended {
            bankLinks[BankLinkKey(link.account, link.bankID)] = nil
            walletCards = walletCards.filter { $0.value.account != link.account || $0.value.bankID != link.bankID }
        }
        return ended.map(\.account.bits)
    }
}
