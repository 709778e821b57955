import ArgumentParser

// The groups of options of `vestibule clients add`, which its help lists in this order.
extension AddClient.Arguments {
    /// The grants, and where a browser goes with their answers.
    struct Flows: ParsableArguments {
        @Option(name: .customLong("redirect-uri"), help: "Where codes go; may be given many times.")
        var redirectURIs: [String] = []
        @Option(
            name: .customLong("post-logout-redirect-uri"),
            help: "Where a browser may go once it is signed out; may be given many times."
        )
        var postLogoutRedirectURIs: [String] = []
        @Option(
            name: .customLong("grant"),
            help: """
                What it may ask with: authorization_code, refresh_token, ciba, device_code; may be given many times. By \
                default the first two.
                """
        )
        var grants: [String] = []
    }

    /// How the client authenticates at the token endpoint.
    struct Authentication: ParsableArguments {
        @Option(help: "How it shows that it is itself: none, secret, private-key-jwt.") var auth = "none"
        @Option(help: "The file of its public keys, a JWK set.") var keys: String?
    }

    /// What the client may ask tokens for.
    struct Access: ParsableArguments {
        @Option(
            name: .customLong("scope"),
            help: "What it may ask for; may be given many times; by default openid, profile, email, offline_access."
        )
        var scopes: [String] = []
        @Option(
            name: .customLong("resource"),
            help: "An API that it may ask for tokens for (RFC 8707); may be given many times."
        )
        var resources: [String] = []
    }

    /// What the client's requests, tokens and people must have.
    struct Demands: ParsableArguments {
        @Flag(help: "Its requests have to be pushed first (RFC 9126).") var requirePushedRequests = false
        @Flag(name: .customLong("require-dpop"), help: "Its tokens have to be bound to a key (RFC 9449).")
        var requireDPoP = false
        @Option(
            help: """
                What a person has to have proved: any, face-or-passkey, face, passkey, face-and-passkey. By default \
                face-or-passkey.
                """
        )
        var requires: String?
    }

    /// CIBA.
    struct Backchannel: ParsableArguments {
        @Option(help: "How CIBA delivers: poll, ping, push.") var delivery: String?
        @Option(help: "Where pings and pushes of CIBA go: https; in laptop mode also http on this machine.")
        var notificationEndpoint: String?
    }

    /// What the client's id tokens are signed with, and say.
    struct IDTokens: ParsableArguments {
        @Option(
            name: .customLong("id-token-alg"),
            help:
                "What its id tokens are signed with: RS256, or what access tokens are signed with; by default the latter."
        )
        var idTokenAlgorithm: String?
        @Option(
            name: .customLong("id-token-claim"),
            help: "What its id tokens say of the person: name, preferred_username, email; may be given many times."
        )
        var idTokenClaims: [String] = []
    }
}
