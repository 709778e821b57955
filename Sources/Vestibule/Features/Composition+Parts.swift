import Accounts
import Devices
import HTTPAPI
import Kernel
import Logging
import OAuth
import Operations
import Sessions
import Settings
import SignIn
import Telemetry
import Tokens

/// The parts of the features that routes, commands and loops take.
extension Composition {
    var settings: Settings { core.settings }
    var environment: Environment { core.environment }
    var logger: Logger { core.observability.logger }
    var keyFolder: KeyFolder { core.secrets.folder }
    var keys: KeyRing { core.secrets.ring }
    var stores: Stores { core.stores }
    var unitOfWork: any UnitOfWork { core.stores.unitOfWork }
    var audit: AuditFeature { core.audit }
    var mail: MailFeature { core.mail }
    var metrics: MetricsRegistry? { core.observability.metrics }
    var sessions: SessionService { signIn.sessions }
    var revokedSessions: RevokedSessions { signIn.sessions.revoked }
    var tokens: TokenSet { signIn.tokens }
    var door: Door { signIn.door }
    var links: DeviceLinks { signIn.devices.links }
    var registered: RegisteredDevices { signIn.devices.registered }
    var deviceCookies: DeviceCookieFactory { signIn.devices.cookies }
    var ownerNotices: OwnerNotices { signIn.notices }
    var descents: any DescentStore { core.stores.sessions.descents }
    var service: OperationService { operation.service }
    var webhooks: WebhookIntake { operation.webhooks }
    var backchannel: BackchannelFeature { operation.backchannel }
    var passwords: PasswordService { password.passwords }
    var password: PasswordFeature { people.password }
    var accounts: AccountService { people.accounts }
    var mailProofs: MailProofs { people.mailProofs }
    var devices: DeviceFeature { people.devices }
    var passkeys: PasskeyFeature { people.passkeys }
    var ending: EndingService { lifecycle.ending }
    var refreshes: RefreshService { lifecycle.refreshes }
    var listening: ListeningSince { lifecycle.listening }
    var authorization: AuthorizationFeature { oauth.authorization }
    var deviceFlow: DeviceFlowService { oauth.deviceFlow }
    var upstreams: UpstreamRegistry? { oauth.upstreams }
    var registrations: RegistrationService { password.registrations }
    var linkedDevices: LinkedDevices { password.linked }
}
