package import OAuth
package import Operations
package import Wallet

/// The parts of the config that the API needs.
package struct HTTPConfiguration: Sendable {
    /// The program's version in the answer of `/version`.
    package var version = ""
    package var server: ServerConfiguration
    package var clients: ClientConfiguration
    /// The enabled surfaces by their names.
    package var surfaces: [String: SurfaceConfiguration] = [:]
    package var faceLogin = FaceLoginConfiguration()
    package var passkeys = PasskeyConfiguration()
    package var oauth = OAuthConfiguration()
    package var wallet = WalletConfiguration()
    package var edge = EdgeConfiguration()
    /// Whether apps too may add a passkey or a face only after a sign-in by one that the account has, if it has any.
    package var addsMeansByOlderOnes = false
    /// `nil` serves no security.txt.
    package var securityText: SecurityText?
    package let limits: LimitConfiguration

    package init(server: ServerConfiguration, clients: ClientConfiguration, limits: LimitConfiguration) {
        self.server = server
        self.clients = clients
        self.limits = limits
    }
}

/// Whether the features have limits.
package enum LimitConfiguration: Sendable, Equatable {
    /// No feature has limits, as in benchmarks.
    case off
    /// All features have limits; the config sets those of passkey requests.
    case on(passkeys: PasskeyLimits.Rates)
}

/// The clients of the config.
package struct ClientConfiguration: Sendable {
    let directory: ClientDirectory
    /// All clients' ids.
    let ids: [String]
    /// The audiences of all clients, which tokens may have.
    let audiences: Set<String>
    /// The clients that also get their refresh token in a cookie.
    let withRefreshCookie: Set<String>

    package init(directory: ClientDirectory, ids: [String], audiences: Set<String>, withRefreshCookie: Set<String>) {
        self.directory = directory
        self.ids = ids
        self.audiences = audiences
        self.withRefreshCookie = withRefreshCookie
    }
}

/// One surface: a set of routes for the clients of one published app or site.
package struct SurfaceConfiguration: Sendable {
    /// The surface's name in the config.
    let name: String
    /// The client of requests that name none; `nil` for the config's default client.
    let client: String?
    /// Whether people can open accounts there themselves.
    let isRegistrationOpen: Bool

    package init(name: String, client: String?, isRegistrationOpen: Bool) {
        self.name = name
        self.client = client
        self.isRegistrationOpen = isRegistrationOpen
    }

    /// The surface for requests that belong to none: it has the default client and opens no accounts.
    static let unserved = SurfaceConfiguration(name: "", client: nil, isRegistrationOpen: false)
}

package struct FaceLoginConfiguration: Sendable {
    /// The name of the face provider that logins use.
    package var provider = ""
    /// The seconds between two polls that clients are told to leave.
    package var pollInterval = 2
    /// The origins of the providers' pages, for the pages' content security policy.
    package var scanOrigins: [String] = []
    /// Whether only an account with a proven address may enrol a face.
    package var requiresVerifiedEmail = false

    package init() {}
}

/// The relying party of passkeys, and the pages and apps that may use its passkeys.
package struct PasskeyConfiguration: Sendable {
    /// Whether anybody can sign in with a passkey.
    package var isServed = false
    /// The relying party's id, a domain (WebAuthn L3 §4).
    package var rpID = ""
    package var rpName = ""
    /// Further RP IDs that a request may choose.
    package var customRPIDs: Set<String> = []
    package var customRPNames: Set<String> = []
    /// Whether a request may choose any name for the relying party, which is only displayed.
    package var takesAnyRPName = false
    /// Whether the page that creates passkeys shows every setting of the options, for trials.
    package var showsSettings = false
    /// Whether every ceremony requires user verification, even if a request does not.
    package var requiresUserVerification = true
    /// Whether all users are listed with their passkeys, for trials.
    package var listsUsers = false
    package var appleApps: [String] = []
    package var androidApps: [AndroidApp] = []
    package var relatedOrigins: [String] = []

    package init() {}

    /// An Android app that may use the passkeys.
    package struct AndroidApp: Sendable {
        let packageName: String
        let fingerprint: String

        /// `fingerprint` is the SHA-256 of the certificate, as keytool prints it.
        package init(packageName: String, fingerprint: String) {
            self.packageName = packageName
            self.fingerprint = fingerprint
        }
    }
}

package struct OAuthConfiguration: Sendable {
    /// Whether the authorization server is enabled.
    package var isEnabled = false
    /// Whether clients may register themselves.
    package var takesRegistrations = false
    package var backchannel = BackchannelPolicy(interval: .seconds(2))
    /// The client for which `GET /api/data` is served; `nil` to omit the route.
    package var dataClient: String?

    package init() {}
}

package struct WalletConfiguration: Sendable {
    /// The banks by their ids.
    package var banks: [String: Bank] = [:]
    /// The apps' addresses at which an enrolment may end, the default one first.
    package var deepLinks: [String] = []
    /// Whether an enrolment without the cookie asks at its end whose wallet it is.
    package var needsConfirmation = true
    /// The client of the wallet's surface, whose brand the pages have; `nil` for the owner's.
    package var client: String?

    package init() {}
}

/// The config of the outermost layer, ``EdgeMiddleware``.
package struct EdgeConfiguration: Sendable {
    /// The origins whose pages may call, in the form that browsers send.
    package var corsOrigins: [String] = []
    package var writesAccessLog = false

    package init() {}
}
