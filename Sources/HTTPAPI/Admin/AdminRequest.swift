import Kernel

/// What the command line asks the daemon, over its Unix socket.
///
/// One message each way.
package enum AdminRequest: Codable, Sendable, Equatable {
    case addAccount(AccountOrder)
    /// A part of a file; the answer says how many of its lines are dealt with.
    case importAccounts([ImportLine])
    case listAccounts(limit: Int)
    case showAccount(name: String)
    case disableAccount(name: String)
    case enableAccount(name: String)
    case changeAccount(name: String, AccountAmendment)
    /// `providerAccount`: its name there; `nil` makes one.
    case enrollAccount(name: String, provider: String, providerAccount: String?)
    case listOperations(account: String?, states: [String], limit: Int)
    case showOperation(row: String)
    case cancelOperation(row: String)
    case listDevices(account: String)
    case revokeDevice(id: String)
    case listPasskeys(account: String)
    case removePasskey(id: String)
    case listProviders
    case listSessions(account: String, limit: Int)
    case revokeSession(id: String)
    case revokeSessions(account: String)
    case listKeys
    /// `unannounced`: although the next key is not published for long enough.
    case rotateKeys(unannounced: Bool)
    case retireKey(kid: String)
    /// `checkpoints`: lines that were kept elsewhere; `nil` takes the server's own.
    case verifyAudit(checkpoints: [String]?)
    case listAudit(limit: Int)
    /// `isAnew`: those of before are gone.
    case checkpointAudit(isAnew: Bool)
    case auditKey
    /// Of these states; of all where none is named.
    case listMail(states: [String], limit: Int)
    case flushMail
    case testMail(to: String, language: String)
    case addClient(ClientOrder)
    case listClients
    case showClient(id: String)
    /// `overlapSeconds`: how long the secret before counts beside the new one.
    case rotateClientSecret(id: String, overlapSeconds: Int)
    case disableClient(id: String)
    case enableClient(id: String)
    /// Ends the sessions of one client, whoever's they are.
    case signOutClient(id: String)
    /// A token by which so many clients can register themselves for so long.
    case openClientRegistration(uses: Int, seconds: Int)

    /// An account to add.
    package struct AccountOrder: Codable, Sendable, Equatable {
        package var email: String?
        package var name: String
        package var attributes: [String]
        package var enroll: String?
        package var providerAccount: String?
        package var password: String?

        package init(
            email: String?,
            name: String,
            attributes: [String],
            enroll: String?,
            providerAccount: String? = nil,
            password: String? = nil
        ) {
            self.email = email
            self.name = name
            self.attributes = attributes
            self.enroll = enroll
            self.providerAccount = providerAccount
            self.password = password
        }
    }

    /// What is to change of an account; what is `nil` stays.
    package struct AccountAmendment: Codable, Sendable, Equatable {
        package var name: String?
        package var email: String?
        /// `NAME=VALUE`, or `NAME=` to take one away.
        package var attributes: [String]
        package var password: String?

        package init(
            name: String? = nil,
            email: String? = nil,
            attributes: [String] = [],
            password: String? = nil
        ) {
            self.name = name
            self.email = email
            self.attributes = attributes
            self.password = password
        }
    }

    /// An account of a file, with its line there.
    package struct ImportLine: Codable, Sendable, Equatable {
        package var number: Int
        package var order: AccountOrder

        package init(number: Int, order: AccountOrder) {
            self.number = number
            self.order = order
        }
    }
}

/// What the daemon answers.
///
/// Holds no secret but one that was just made, which is told this once.
package enum AdminReply: Codable, Sendable, Equatable {
    case account(AccountView)
    case accounts([AccountView])
    case imported(ImportView)
    case operation(OperationView)
    case operations([OperationView])
    case devices([DeviceView])
    case passkeys([PasskeyView])
    case providers([ProviderView])
    case sessions([SessionView])
    /// How many.
    case revokedSessions(Int)
    case keys([KeyView])
    case audit(AuditView)
    case auditRows([AuditRowView])
    case mails([MailView])
    case mailFlushed(MailFlushView)
    case mailTested(MailTestView)
    case client(ClientView)
    case clients([ClientView])
    case clientSecret(ClientSecretView)
    case registrationToken(RegistrationTokenView)
    case text(String)
    case fault(code: String, message: String)

    /// An account as operators see it.
    package struct AccountView: Codable, Sendable, Equatable {
        package let id: String
        package let name: String
        package let state: String
        package let emails: [String]
        /// Those of them that are known to be the person's.
        package let verifiedEmails: [String]
        /// What the person signs in as, where that is no address; one in the form of an address with its mark.
        package let username: String?
        package let attributes: [String: String]
        package let enrolments: [String]
        package let hasPassword: Bool
        /// Milliseconds since 1970.
        package let createdAt: Int64
    }

    /// What became of a part of an import.
    package struct ImportView: Codable, Sendable, Equatable {
        /// Lines from the first on that are added or refused; the others are to be sent again.
        package var done: Int
        package var added: Int
        /// A sentence per line that was not taken.
        package var faults: [String]

        package init(done: Int = 0, added: Int = 0, faults: [String] = []) {
            self.done = done
            self.added = added
            self.faults = faults
        }
    }

    /// An operation as operators see it: by its row id, without secrets.
    package struct OperationView: Codable, Sendable, Equatable {
        package let row: String
        package let account: String?
        package let client: String
        package let provider: String
        package let state: String
        package let failure: String?
        package let session: String?
        package let seq: Int64
        /// Milliseconds since 1970.
        package let createdAt: Int64
        package let deadline: Int64
        package let endedAt: Int64?
        /// Why it waits; only where one operation is shown.
        package var progress: ProgressView?
    }

    /// Why an operation waits.
    package struct ProgressView: Codable, Sendable, Equatable {
        /// `person_opens_link`, `scan_starts`, `person_scans`, `provider_judges`, `provider_answers`, `client_collects` or
        /// `client_acknowledges`; `nil` once nothing more comes.
        package let waitsFor: String?
        package let circuit: String?
        package let providerHealthy: Bool
        /// Milliseconds until the engine looks at it.
        package let nextLook: Int64?
        package let lastExchange: ExchangeView?
    }

    /// What a provider last said about an operation.
    package struct ExchangeView: Codable, Sendable, Equatable {
        package let provider: String
        /// `started`, `answered`, `unreadable`, `silent`, `held_back` or `refused`.
        package let outcome: String
        package let detail: String
        /// Milliseconds since 1970.
        package let at: Int64
    }

    /// A registered device as operators see it.
    package struct DeviceView: Codable, Sendable, Equatable {
        package let id: String
        package let client: String
        /// The id that the client gave it.
        package let deviceId: String
        package let name: String
        package let platform: String?
        package let hasKey: Bool
        package let cloneSigns: Int64
        /// Milliseconds since 1970.
        package let createdAt: Int64
        package let expiresAt: Int64
        package let lastUsedAt: Int64?
    }

    /// A configured face provider.
    package struct ProviderView: Codable, Sendable, Equatable {
        package let name: String
        package let kind: String
        /// Host, and port if there is one, of its API.
        package let host: String
        /// `ok` or `degraded`; `nil` while no daemon runs.
        package let state: String?

        package init(name: String, kind: String, host: String, state: String?) {
            self.name = name
            self.kind = kind
            self.host = host
            self.state = state
        }
    }

    /// A signing key.
    package struct KeyView: Codable, Sendable, Equatable {
        package let kid: String
        package let algorithm: String
        /// `next`, `active`, `retiring` or `retired`.
        package let state: String
        /// Milliseconds since 1970.
        package let createdAt: Int64
        /// From when on it is in that state.
        package let since: Int64
        /// From when on nothing that it signed is accepted; `nil` for the key that signs and the next one.
        package let verifiesUntil: Int64?
        /// `tokens`, or `identity` for what signs id tokens by RS256 alone.
        package let use: String
    }
}
