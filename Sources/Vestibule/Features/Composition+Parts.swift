import Accounts
import Devices
import HTTPAPI
import Kernel
import Logging
import Operations
import Sessions
import Settings
import SignIn
import Storage
import Telemetry
import Tokens

/// The parts of the features that routes, commands and loops take.
extension Composition {
    var settings: Settings { core.settings }
    var environment: Environment { core.environment }
    var logger: Logger { core.logger }
    var keyFolder: KeyFolder { core.keyFolder }
    var keys: KeyRing { core.keys }
    var database: SQLiteDatabase { core.database }
    var unitOfWork: SQLiteUnitOfWork { core.unitOfWork }
    var audit: AuditFeature { core.audit }
    var mail: MailFeature { core.mail }
    var metrics: MetricsRegistry? { core.metrics }
    var sessions: SessionService { signIn.sessions }
    var revokedSessions: RevokedSessions { signIn.revoked }
    var tokens: TokenSet { signIn.tokens }
    var door: Door { signIn.door }
    var links: DeviceLinks { signIn.links }
    var registered: RegisteredDevices { signIn.registered }
    var deviceCookies: DeviceCookieFactory { signIn.cookies }
    var ownerNotices: OwnerNotices { signIn.notices }
    var descents: SQLiteDescentStore { SQLiteDescentStore() }
    var sessionStore: SQLiteSessionStore { SQLiteSessionStore(database) }
    var deviceLinks: SQLiteDeviceLinkStore { SQLiteDeviceLinkStore() }
    var operations: SQLiteOperationStore { operation.store }
    var service: OperationService { operation.service }
    var webhooks: WebhookIntake { operation.webhooks }
    var backchannel: BackchannelFeature { operation.backchannel }
    var passwords: PasswordService { password.passwords }
    var registrations: RegistrationService { password.registrations }
    var linkedDevices: LinkedDevices { password.linked }
}
