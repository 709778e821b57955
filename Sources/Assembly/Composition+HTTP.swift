package import HTTPAPI
import Kernel
import OAuth
import Sessions
import SignIn

/// The services of the HTTP API: the use cases of all features.
extension Composition {
    /// Returns the HTTP API; `proofCapacity`: the number of used DPoP proofs that are remembered.
    package func http(proofCapacity: Int = UsedProofs.capacity) -> PublicAPI {
        PublicAPI(
            httpServices,
            HTTPConfiguration(settings, showing: core.configured.localization),
            proofCapacity: proofCapacity
        )
    }

    private var httpServices: HTTPServices {
        HTTPServices(
            core: CoreServices(
                environment: environment,
                logger: logger,
                metrics: metrics,
                keys: keys,
                keyFolder: keyFolder,
                readiness: ReadinessServices(
                    counts: readiness,
                    checkStore: { [upkeep = stores.upkeep] in try await upkeep.checkDurable() },
                    databaseClock: stores.upkeep.databaseClock,
                    peers: { [nodes = stores.upkeep.nodes] in nodes.peers }
                ),
                usedMarks: UsedMarks(store: stores.sessions.usedMarks, unitOfWork: unitOfWork)
            ),
            operations: OperationServices(service: service, webhooks: webhooks),
            accounts: accountServices,
            sessions: sessionServices,
            devices: DeviceServices(
                registrar: devices.registrar,
                owned: devices.owned,
                keys: devices.keys,
                signIn: DeviceKeySignIn(keys: devices.keys, door: door, unitOfWork: unitOfWork)
            ),
            passkeys: passkeyServices,
            oauth: oauthServices,
            wallet: WalletServices(banks: wallet.banks, cards: wallet.cards, payments: wallet.payments)
        )
    }

    private var accountServices: AccountServices {
        let (codes, addresses) = (mailProofs.codes, mailProofs.addresses)
        return AccountServices(
            accounts: accounts,
            registrations: registrations,
            opening: AccountOpening(
                registrations: registrations,
                proofs: addresses,
                door: door,
                unitOfWork: unitOfWork
            ),
            passwords: passwords,
            passwordSignIn: PasswordSignIn(passwords: passwords, door: door, unitOfWork: unitOfWork),
            owner: ownerServices,
            linked: linkedDevices,
            mail: MailProofServices(
                codes: codes,
                addresses: addresses,
                signIn: MailedCodeSignIn(codes: codes, proofs: addresses, door: door, unitOfWork: unitOfWork)
            )
        )
    }

    /// The withdrawal of consents, by their people and by operators.
    var consentWithdrawal: ConsentWithdrawal {
        ConsentWithdrawal(
            consents: stores.oauth.consents,
            ending: ending,
            auditLog: core.audit.chain,
            environment: environment
        )
    }

    private var ownerServices: OwnerServices {
        OwnerServices(
            passwordChange: PasswordChange(
                passwords: passwords,
                sessions: sessions,
                access: ending,
                descents: descents,
                linked: linkedDevices,
                notices: ownerNotices,
                unitOfWork: unitOfWork
            ),
            sessions: OwnSessions(ending: ending),
            consents: consentWithdrawal,
            means: MeansRemoval(
                accounts: signIn.accountStore,
                enrolments: stores.people.enrolments,
                passkeys: passkeys.owned,
                ending: ending,
                notices: ownerNotices,
                auditLog: core.audit.chain
            ),
            closing: AccountClosing(
                accounts: signIn.accountStore,
                ending: ending,
                notices: ownerNotices,
                auditLog: core.audit.chain
            )
        )
    }

    private var sessionServices: SessionServices {
        let browsers = passkeys.browsers
        return SessionServices(
            sessions: sessions,
            browsers: browsers,
            tokens: tokens,
            refreshes: refreshes,
            signOut: SignOut(sessions: sessions, ending: ending, browsers: browsers, unitOfWork: unitOfWork),
            browserSignIn: BrowserSignIn(
                sessions: sessions,
                browsers: browsers,
                descents: descents,
                unitOfWork: unitOfWork
            ),
            deviceCookies: deviceCookies,
            links: links
        )
    }

    private var passkeyServices: PasskeyServices {
        PasskeyServices(
            service: passkeys.service,
            owned: passkeys.owned,
            changes: PasskeyChange(passkeys: passkeys.owned, sessions: sessions, unitOfWork: unitOfWork),
            signIn: PasskeySignIn(
                passkeys: passkeys.service,
                door: door,
                sessions: sessions,
                browsers: passkeys.browsers,
                descents: descents,
                unitOfWork: unitOfWork
            ),
            descents: descents,
            sourceKey: passkeys.sourceKey
        )
    }

    private var oauthServices: OAuthServices {
        OAuthServices(
            clients: ClientServices(
                directory: oauth.directory,
                registrations: oauth.clients,
                authenticator: oauth.authenticator
            ),
            grants: stores.oauth.grants,
            refreshes: oauthRefreshes(oauth.directory),
            authorization: authorizationServices(authorization),
            deviceFlow: DeviceFlowServices(
                service: deviceFlow,
                decisions: DeviceDecisions(
                    deviceFlow: deviceFlow,
                    accounts: accounts,
                    sessions: sessions,
                    unitOfWork: unitOfWork
                ),
                redemption: DeviceCodeRedemption(deviceFlow: deviceFlow, door: door, unitOfWork: unitOfWork)
            ),
            backchannel: BackchannelServices(
                service: backchannel.service,
                tickets: backchannel.tickets,
                memory: backchannel.memory,
                door: door
            ),
            upstreams: upstreams.map { UpstreamServices(service: $0.service, upstreams: $0.upstreams) }
        )
    }

    func authorizationServices(_ feature: AuthorizationFeature) -> AuthorizationServices {
        AuthorizationServices(
            service: feature.service,
            reader: feature.reader,
            pushed: feature.pushed,
            codes: CodeIssuing(service: feature.service, sessions: sessions, unitOfWork: unitOfWork),
            redemption: CodeRedemption(authorization: feature.service, door: door, unitOfWork: unitOfWork)
        )
    }

    /// Returns the service of refresh token families, under the policies of the authorization server's clients.
    ///
    /// A disabled or deleted client has no policy, and its sessions end.
    func oauthRefreshes(_ directory: OAuthClientDirectory) -> RefreshService {
        RefreshService(
            environment: environment,
            unitOfWork: unitOfWork,
            store: stores.sessions.sessions,
            subjects: RefreshSubjectsAdapter(accounts: signIn.accountStore, devices: links, registered: registered),
            sessions: sessions,
            ending: ending,
            listening: listening
        ) { id in
            guard let client = directory.client(id), client.isEnabled else { return nil }
            return RefreshPolicy(
                rotation: .always,
                idleLifetime: client.tokens.refreshTokenLifetime,
                absoluteLifetime: client.tokens.sessionLifetime
            )
        }
    }
}
