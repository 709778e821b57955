import ArgumentParser

// The groups of options of `vestibule clients add`, in the order in which its help lists them.
extension AddClient.Arguments {
    /// The grants, and the addresses to which browsers are sent.
    struct Flows: ParsableArguments {
        @Option(
            name: .customLong("redirect-uri"),
            help: "An address that codes are sent to. Can be given several times."
        )
        var redirectURIs: [String] = []
        @Option(
            name: .customLong("post-logout-redirect-uri"),
            help: "An address that a browser may be sent to after a sign-out. Can be given several times."
        )
        var postLogoutRedirectURIs: [String] = []
        @Option(
            name: .customLong("grant"),
            help: """
                A grant that it may use: authorization_code, refresh_token, ciba, device_code. Can be given several times, by \
                default the first two.
                """
        )
        var grants: [String] = []
    }

    /// How the client authenticates at the token endpoint.
    struct Authentication: ParsableArguments {
        @Option(help: "How it authenticates: none, secret, private-key-jwt.") var auth = "none"
        @Option(help: "The file of its public keys, a JWK set.") var keys: String?
    }

    /// The scopes and resources that the client may request.
    struct Access: ParsableArguments {
        @Option(
            name: .customLong("scope"),
            help:
                "A scope that it may ask for. Can be given several times, by default openid, profile, email, offline_access."
        )
        var scopes: [String] = []
        @Option(
            name: .customLong("resource"),
            help: "An API that it may ask for tokens for (RFC 8707). Can be given several times."
        )
        var resources: [String] = []
    }

    /// Requirements on the client's requests, on its tokens and on people who sign in.
    struct Demands: ParsableArguments {
        @Flag(help: "Its requests have to be pushed first (RFC 9126).") var requirePushedRequests = false
        @Flag(name: .customLong("require-dpop"), help: "Its tokens have to be bound to a key (RFC 9449).")
        var requireDPoP = false
        @Option(
            help: """
                The proof that a person needs: any, face-or-passkey, face, passkey, face-and-passkey. By default \
                face-or-passkey.
                """
        )
        var requires: String?
        @Option(
            name: .customLong("way"),
            help: """
                A way to sign in that is good enough: passkey, face, mail, password. Can be given several times, by default those \
                that --requires admits.
                """
        )
        var ways: [String] = []
    }

    /// The options for CIBA.
    struct Backchannel: ParsableArguments {
        @Option(help: "How CIBA delivers: poll, ping, push.") var delivery: String?
        @Option(
            help:
                "The address that pings and pushes of CIBA are sent to: https, in laptop mode also http on this machine."
        )
        var notificationEndpoint: String?
    }

    /// The algorithm and the claims of the client's id tokens, and the endpoint of its logout tokens.
    struct IDTokens: ParsableArguments {
        @Option(
            name: .customLong("id-token-alg"),
            help:
                "The algorithm of its id tokens: RS256, or by default that of access tokens."
        )
        var idTokenAlgorithm: String?
        @Option(
            name: .customLong("id-token-claim"),
            help:
                "A claim about the person in its id tokens: name, preferred_username, email. Can be given several times."
        )
        var idTokenClaims: [String] = []
        @Option(
            name: .customLong("backchannel-logout-uri"),
            help:
                "The address that is told when one of its sessions ends: https, in laptop mode also http on this machine."
        )
        var logoutURI: String?
        @Flag(
            name: .customLong("backchannel-logout-session-required"),
            help: "It needs the session's id (sid) in logout tokens. All of them have it."
        )
        var isLogoutSessionRequired = false
    }
}
