import Kernel
import OAuth

/// The address that an app opens in a browser to sign its person in (RFC 6749 §4.1.1).
struct SignInAddress: Sendable {
    private let prefix: String
    private let environment: Environment

    init(client: OAuthClient, publicURL: String, environment: Environment) {
        var parameters = [("response_type", "code"), ("client_id", client.id)]
        if let redirectURI = client.authorization.redirectURIs.first {
            parameters.append(("redirect_uri", redirectURI))
        }
        prefix = QueryText.add(parameters, to: "\(publicURL)/authorize") + "&state="
        self.environment = environment
    }

    /// Returns the address with a random state, which the app may compare later or replace.
    func url() -> String { prefix + Base64URL.encode(environment.randomBytes(16)) }
}
