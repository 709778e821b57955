import Accounts
import Devices
import HTTPAPI
package import Kernel
import Logging
import OAuth
package import Operations
package import Sessions
package import Settings
package import SignIn
package import Telemetry
package import Tokens

/// The parts of the features that routes, commands and background loops use.
extension Composition {
    package var settings: Settings { core.settings }
    /// Reads the operator's texts and logos again, for all pages and mails from then on.
    ///
    /// - Throws: ``SettingsErrors``.
    package func reloadPresentation() throws(SettingsErrors) { try core.configured.reload() }
    var environment: Environment { core.environment }
    var logger: Logger { core.observability.logger }
    var keyFolder: KeyFolder { core.secrets.folder }
    package var keys: KeyRing { core.secrets.ring }
    package var stores: Stores { core.stores }
    package var unitOfWork: any UnitOfWork { core.stores.unitOfWork }
    package var audit: AuditFeature { core.audit }
    package var mail: MailFeature { core.mail }
    package var metrics: MetricsRegistry? { core.observability.metrics }
    /// The last hour in minutes, for operators; `nil` but in a daemon.
    package var history: MinuteHistory? { core.observability.history }
    var sessions: SessionService { signIn.sessions }
    package var revokedSessions: RevokedSessions { signIn.sessions.revoked }
    var tokens: TokenSet { signIn.tokens }
    var door: Door { signIn.door }
    var links: DeviceLinks { signIn.devices.links }
    var registered: RegisteredDevices { signIn.devices.registered }
    var deviceCookies: DeviceCookieFactory { signIn.devices.cookies }
    var ownerNotices: OwnerNotices { signIn.notices }
    var descents: any DescentLinks { core.stores.sessions.descents }
    /// Follows what other daemons revoke, until the task is cancelled.
    package func followRevocations() async {
        await revokedSessions.follow(stores.upkeep.feed, from: stores.sessions.sessions, in: environment)
    }

    /// Follows the changes of signing keys by other daemons, until the task is cancelled.
    package func followKeys() async {
        await keys.follow(stores.upkeep.feed, in: environment) { [logger] error in
            logger.error(
                "the signing keys that another daemon may have changed could not be read: it is tried each second",
                metadata: ["cause": "\(error)"]
            )
        }
    }

    package var service: OperationService { operation.service }
    var webhooks: WebhookIntake { operation.webhooks }
    package var backchannel: BackchannelFeature { operation.backchannel }
    var passwords: PasswordService { password.passwords }
    var password: PasswordFeature { people.password }
    var accounts: AccountService { people.accounts }
    var mailProofs: MailProofs { people.mailProofs }
    var devices: DeviceFeature { people.devices }
    package var passkeys: PasskeyFeature { people.passkeys }
    package var ending: EndingService { lifecycle.ending }
    var refreshes: RefreshService { lifecycle.refreshes }
    package var listening: ListeningSince { lifecycle.listening }
    var authorization: AuthorizationFeature { oauth.authorization }
    var deviceFlow: DeviceFlowService { oauth.deviceFlow }
    var upstreams: UpstreamRegistry? { oauth.upstreams }
    var registrations: RegistrationService { password.registrations }
    var linkedDevices: LinkedDevices { password.linked }
}
