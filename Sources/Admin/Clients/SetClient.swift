import ArgumentParser
import Kernel
import OAuth

/// `vestibule clients set`: changes a client that is not in the config.
struct SetClient: CommandLineCommand {
    static let name = "setClient"
    static let replyName = "client"
    static let effect = CommandEffect.writes

    var id: String
    var change: Change

    var target: String? { id }

    /// The changes, in the names of RFC 7591 §2, as texts that the daemon checks; what is `nil` stays.
    struct Change: Codable, Sendable {
        var name: String?
        var uris = URIs()
        var grants: [String]?
        var scopes: [String]?
        var resources: [String]?
        var demands = Demands()
        var logout = Logout()
        /// `KEY=VALUE` with the keys of a theme in the config; empty for the owner's look.
        var theme: [String]?

        struct URIs: Codable, Sendable {
            var redirect: [String]?
            var postLogout: [String]?
        }

        struct Demands: Codable, Sendable {
            var pushedRequests: Bool?
            var dpop: Bool?
            /// The proof that people must give when they sign in.
            var proof: String?
            var ways: [String]?
        }

        struct Logout: Codable, Sendable {
            /// `none` for no logout tokens.
            var uri: String?
            var isSessionRequired: Bool?
        }
    }

    func handle(_ services: AdminServices) async throws -> ClientView {
        _ = try await services.clients.service.change(id, ClientChange(change))
        return try await ShowClient(id: id).handle(services)
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "set",
            "Change a client that is not in the config. What is not given stays.",
            about: """
                A list takes the place of the previous one, and the word none empties it. Sessions go on: what a client \
                may no longer have ends with the next refresh. All faults are told at once.
                """,
            examples: [
                "vestibule clients set backend --name 'Back office'",
                "vestibule clients set shop --backchannel-logout-uri https://a.example.com/out",
                "vestibule clients set backend --scope openid --require-dpop --json",
                "vestibule clients set shop --theme accent=#7a1f5c --theme name=Shop",
            ]
        )

        @Argument(help: "The client's id.") var id: String
        @Option(help: "The name that people see.") var name: String?
        @OptionGroup var flows: AddClient.Arguments.Flows
        @OptionGroup var access: AddClient.Arguments.Access
        @OptionGroup var demands: Demands
        @OptionGroup var logout: Logout
        @Option(
            name: .customLong("theme"),
            help: """
                A value of its look as KEY=VALUE, with the keys of a theme in the config, like accent=#0b57d0 and \
                links.terms=https://www.example.com/terms. Can be given several times. A logo is a file in the data folder.
                """
        )
        var theme: [String] = []

        func command(_ input: CommandInput) -> any AdminCommand<ClientView> {
            var change = Change()
            change.name = name
            change.uris = Change.URIs(
                redirect: Self.list(flows.redirectURIs),
                postLogout: Self.list(flows.postLogoutRedirectURIs)
            )
            change.grants = Self.list(flows.grants)
            change.scopes = Self.list(access.scopes)
            change.resources = Self.list(access.resources)
            change.demands = Change.Demands(
                pushedRequests: demands.requirePushedRequests,
                dpop: demands.requireDPoP,
                proof: demands.requires,
                ways: Self.list(demands.ways)
            )
            change.logout = Change.Logout(uri: logout.uri, isSessionRequired: logout.isSessionRequired)
            change.theme = Self.list(theme)
            return SetClient(id: id, change: change)
        }

        /// Returns the given values, an empty list for the word none, and `nil` if nothing is given.
        private static func list(_ given: [String]) -> [String]? {
            given == ["none"] ? [] : given.isEmpty ? nil : given
        }
    }
}

extension SetClient.Arguments {
    /// Requirements on the client's requests, on its tokens and on people who sign in.
    struct Demands: ParsableArguments {
        @Flag(inversion: .prefixedNo, help: "Whether its requests have to be pushed first (RFC 9126).")
        var requirePushedRequests: Bool?
        @Flag(
            name: .customLong("require-dpop"),
            inversion: .prefixedNo,
            help: "Whether its tokens have to be bound to a key (RFC 9449)."
        )
        var requireDPoP: Bool?
        @Option(help: "The proof that a person needs: any, face-or-passkey, face, passkey, face-and-passkey.")
        var requires: String?
        @Option(
            name: .customLong("way"),
            help: """
                A way to sign in that is good enough: passkey, face, mail, password. With none it is those that --requires \
                takes.
                """
        )
        var ways: [String] = []
    }

    /// The endpoint of the client's logout tokens.
    struct Logout: ParsableArguments {
        @Option(
            name: .customLong("backchannel-logout-uri"),
            help: "The address that is told when one of its sessions ends, or none."
        )
        var uri: String?
        @Flag(
            name: .customLong("backchannel-logout-session-required"),
            inversion: .prefixedNo,
            help: "Whether it needs the session's id (sid) in logout tokens. All of them have it."
        )
        var isSessionRequired: Bool?
    }
}

extension ClientChange {
    fileprivate init(_ given: SetClient.Change) {
        self.init()
        name = given.name
        (uris.redirect, uris.postLogout) = (given.uris.redirect, given.uris.postLogout)
        resources = given.resources
        (demands.pushedRequests, demands.dpop) = (given.demands.pushedRequests, given.demands.dpop)
        if let names = given.grants {
            let known = names.compactMap(OAuthClient.GrantType.init(shortName:))
            for name in names where OAuthClient.GrantType(shortName: name) == nil {
                unreadable.append("The grant \(name) is unknown. Known grants: \(OAuthClient.GrantType.shortNames).")
            }
            if known.count == names.count { grants = Set(known) }
        }
        if let names = given.scopes {
            scopes = ScopeSet(parsing: names.joined(separator: " "))
            if scopes == nil { unreadable.append("--scope takes one word of printable ASCII each time.") }
        }
        if let name = given.demands.proof {
            demands.proof = RequiredProof(rawValue: name)
            let names = RequiredProof.allCases.map(\.rawValue).joined(separator: ", ")
            if demands.proof == nil { unreadable.append("--requires takes one of \(names).") }
        }
        if let names = given.demands.ways {
            demands.ways = Set(parsing: names.joined(separator: " "))
            if demands.ways == nil { unreadable.append("--way takes one of \(SignInWay.names).") }
        }
        appearance.theme = given.theme.map { theme(of: $0) }
        switch (given.logout.uri, given.logout.isSessionRequired) {
        case (nil, nil): break
        case ("none", nil): logout = ClientChange.Logout.none
        case ("none", _): unreadable.append("Without --backchannel-logout-uri no logout token needs a session.")
        case (let uri, let isRequired): logout = .endpoint(uri: uri, isSessionRequired: isRequired)
        }
    }
    /// Returns the theme of lines like `accent=#0b57d0`, and notes those that are none.
    private mutating func theme(of lines: [String]) -> ClientTheme {
        var values: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, values.updateValue(parts[1], forKey: parts[0]) == nil else {
                unreadable.append("--theme takes KEY=VALUE, and each key once.")
                continue
            }
        }
        return ClientTheme(values)
    }
}
