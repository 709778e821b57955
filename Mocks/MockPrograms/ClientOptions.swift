package import ArgumentParser
import Kernel
package import MockServing

/// The one client of a mock's authorization server, and what that is given.
package struct ClientOptions<Defaults: MockDefaults>: ParsableArguments {
    @Option(help: "The id of the one client.")
    var clientId: String = Defaults.clientID

    @Option(help: ArgumentHelp(Defaults.aboutSecret))
    package var clientSecret: String = Defaults.clientSecret

    @Option(
        help: ArgumentHelp(
            "An address that browsers may be sent back to. Can be given several times.",
            valueName: "uri"
        )
    )
    var redirectUri: [String] = []

    @Option(help: "How many seconds an access token is valid.")
    var accessSeconds = 600

    @Option(help: "Its issuer name in its answers (iss). Default: none.")
    var issuer: String?

    package init() {}

    package func validate() throws {
        guard (1...86_400).contains(accessSeconds) else {
            throw ValidationError("--access-seconds must be between 1 and 86400.")
        }
    }

    /// Writes what was given into `authorization`.
    package func apply(to authorization: inout AuthorizationConfiguration) {
        authorization.clientID = clientId
        authorization.clientSecret = Secret(clientSecret)
        authorization.redirectURIs = Set(redirectUri)
        authorization.accessTokenLifetime = .seconds(accessSeconds)
        authorization.issuer = issuer
    }
}
