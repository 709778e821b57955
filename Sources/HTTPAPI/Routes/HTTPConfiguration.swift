package import OAuth
package import Operations
package import Wallet

/// The parts of the config that the API needs.
package struct HTTPConfiguration: Sendable {
    /// The program's version, as `/version` tells it.
    package var version = ""
    package let server: ServerConfiguration
    package var clients: ClientConfiguration
    /// The surfaces that are served, by their names.
    package var surfaces: [String: SurfaceConfiguration] = [:]
    package var faceLogin = FaceLoginConfiguration()
    package var passkeys = PasskeyConfiguration()
    package var oauth = OAuthConfiguration()
    package var wallet = WalletConfiguration()
    package var edge = EdgeConfiguration()
    package let limits: LimitConfiguration

    package init(server: ServerConfiguration, clients: ClientConfiguration, limits: LimitConfiguration) {
        self.server = server
        self.clients = clients
        self.limits = limits
    }
}

/// Whether the features limit what a caller does.
package enum LimitConfiguration: Sendable, Equatable {
    /// No feature has limits, as in benchmarks.
    case off
    /// All features have limits; the config tells those of passkeys' requests.
    case on(passkeys: PasskeyLimits.Rates)
}

/// The clients of the config.
package struct ClientConfiguration: Sendable {
    let directory: ClientDirectory
    /// All clients' ids.
    let ids: [String]
    /// The audiences that tokens may have.
    let audiences: Set<String>
    /// The clients that get their refresh token in a cookie too.
    let withRefreshCookie: Set<String>

    package init(directory: ClientDirectory, ids: [String], audiences: Set<String>, withRefreshCookie: Set<String>) {
        self.directory = directory
        self.ids = ids
        self.audiences = audiences
        self.withRefreshCookie = withRefreshCookie
    }
}

/// One of the sets of routes that clients in the field speak.
package struct SurfaceConfiguration: Sendable {
    /// The surface's name in the config.
    let name: String
    /// The client of a request that names none; `nil` for the default one.
    let client: String?
    /// Whether people open accounts there themselves.
    let isRegistrationOpen: Bool

    package init(name: String, client: String?, isRegistrationOpen: Bool) {
        self.name = name
        self.client = client
        self.isRegistrationOpen = isRegistrationOpen
    }

    /// A surface for requests that belong to none: of the default client, and without registration.
    static let unserved = SurfaceConfiguration(name: "", client: nil, isRegistrationOpen: false)
}

package struct FaceLoginConfiguration: Sendable {
    /// The name of the provider of logins.
    package var provider = ""
    /// The seconds between two polls, as clients are told.
    package var pollInterval = 2
    /// The origins of provider pages, for the pages' content security policy.
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
    /// Whether a request may choose any name: it is only displayed.
    package var takesAnyRPName = false
    /// Whether every ceremony requires user verification, whatever a request says.
    package var requiresUserVerification = true
    /// Whether all users are listed with their passkeys, for trials.
    package var listsUsers = false
    package var appleApps: [String] = []
    package var androidApps: [AndroidApp] = []
    package var relatedOrigins: [String] = []

    package init() {}

    /// An Android app.
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
    /// Whether there is an authorization server.
    package var isEnabled = false
    /// Whether clients register themselves.
    package var takesRegistrations = false
    package var backchannel = BackchannelPolicy(interval: .seconds(2))
    /// The client that `GET /api/data` is for; `nil` for no such route.
    package var dataClient: String?

    package init() {}
}

package struct WalletConfiguration: Sendable {
    /// The banks by their ids.
    package var banks: [String: Bank] = [:]
    /// The apps' addresses where an enrolment may end, the usual one first.
    package var deepLinks: [String] = []
    /// Whether an enrolment without a cookie asks at its end.
    package var needsConfirmation = true

    package init() {}
}

/// The edge in front of all routes.
package struct EdgeConfiguration: Sendable {
    /// The origins whose pages may call, as browsers send them.
    package var corsOrigins: [String] = []
    package var writesAccessLog = false

    package init() {}
}
