package import CodeFlow
import FoundationEssentials
package import Kernel
package import OAuth

/// An authorization server elsewhere that wants a secret which its apps can't keep: the broker keeps it.
package struct UpstreamSettings: Sendable, Equatable {
    let name: String
    package var server: AuthorizationServer
    var takesCodeChallenge = false
    var timeout = Duration.seconds(5)
    package var lookup: LookupSettings?
    package var data: UpstreamDataSettings?

    init(name: String) {
        self.name = name
        server = AuthorizationServer(
            authorizeURL: "",
            tokenURL: "",
            client: ClientRegistration(id: "", secret: Secret(""), authentication: .post)
        )
    }

    /// The upstream with the resource that lookup and data make together, whose paths are read as the answer's form says.
    ///
    /// The checks have seen that lookup and data go together, and that the paths are some.
    package var upstream: Upstream {
        Upstream(
            name: name,
            server: server,
            takesCodeChallenge: takesCodeChallenge,
            resource: resource,
            timeout: timeout
        )
    }
}

/// How the person behind an access token is found out.
package struct LookupSettings: Sendable, Equatable {
    package var url = ""
    package var answer: Form = .json
    package var person = ""
    package var status: String?
    package var active: [String] = []
    package var audience: String?
    package var keepFor: Duration = .seconds(3600)

    /// The form of an answer.
    package enum Form: String, Sendable, CaseIterable {
        case json, xml
    }
}

/// The location of a person's data.
package struct UpstreamDataSettings: Sendable, Equatable {
    package var url = ""
    package var key: Secret?
}

extension SettingsSchema {
    static let upstreams = SettingField<Settings>.map(
        "upstreams",
        \.upstreams,
        each: upstream,
        help: "Authorization servers that want a secret of apps that can't keep one, by name; a client names one.",
        example: "ates",
        blank: { UpstreamSettings(name: $0) }
    )

    static let upstream = SettingSection<UpstreamSettings>([
        .value(
            "authorizeURL",
            \.server.authorizeURL,
            as: .secureURL,
            help: "Where people sign in.",
            required: true,
            example: "https://login.upstream.example.com/authorize"
        ),
        .value(
            "tokenURL",
            \.server.tokenURL,
            as: .secureURL,
            help: "Where codes and refresh tokens are traded.",
            required: true,
            example: "https://login.upstream.example.com/token"
        ),
        .value(
            "clientID",
            \.server.client.id,
            as: .text,
            help:
                "What this server is called there, where its redirect URI is publicURL with /oauth/upstream/callback.",
            required: true,
            example: "vestibule"
        ),
        .value(
            "clientSecret",
            \.server.client.secret,
            as: SettingRule<Secret>.secret.optional,
            help: "Its secret there.",
            required: true,
            example: "env:ATES_CLIENT_SECRET"
        ),
        .value(
            "authentication",
            \.server.client.authentication,
            as: .choice(of: ["post": .post, "basic": .basic]),
            help: "Where the secret goes: into the form, or HTTP Basic."
        ),
        .value(
            "issuer",
            \.server.issuer,
            as: SettingRule<String>.issuer.optional,
            help: "The issuer that it names in its answers (RFC 9207); others are refused then.",
            example: "https://login.upstream.example.com"
        ),
        .list("scopes", \.server.scopes, as: .scope, help: "What every sign-in asks for."),
        .value(
            "codeChallenge",
            \.takesCodeChallenge,
            as: .flag,
            help: "Whether it takes code challenges (RFC 7636)."
        ),
        .value(
            "timeout",
            \.timeout,
            as: .duration(.milliseconds(100)...(.seconds(60))),
            help: "How long one request to it, to the lookup or to the data may take."
        ),
        .optionalGroup(
            "lookup",
            \.lookup,
            keys: lookup,
            blank: LookupSettings(),
            help: "Who is behind an access token; goes with data."
        ),
        .optionalGroup(
            "data",
            \.data,
            keys: upstreamData,
            blank: UpstreamDataSettings(),
            help: "The data of a person."
        ),
    ])

    static let lookup = SettingSection<LookupSettings>([
        .value(
            "url",
            \.url,
            as: .secureURL,
            help: "What is asked, with the access token as bearer.",
            required: true,
            example: "https://people.upstream.example.com/person"
        ),
        .value("answer", \.answer, as: .choice, help: "What the answer is."),
        .value(
            "person",
            \.person,
            as: .text,
            help:
                "Where the answer has the person's id: a JSON pointer, or a path of XML elements like /Person/Id or /Person/@id.",
            required: true,
            example: "/person/id"
        ),
        .value(
            "status",
            \.status,
            as: SettingRule<String>.text.optional,
            help: "Where the answer says whether the person is active; by default that there is an answer says so.",
            example: "/person/status"
        ),
        .list("active", \.active, as: .text, help: "The words there that say yes."),
        .value(
            "audience",
            \.audience,
            as: SettingRule<String>.text.optional,
            help:
                "Where the answer has the client that the token was given to, which has to be clientID; by default any will do.",
            example: "/client"
        ),
        .value(
            "keepFor",
            \.keepFor,
            as: .duration(.zero...(.days(1))),
            help: "How long an id is kept at the most; never longer than the token is good."
        ),
    ])

    static let upstreamData = SettingSection<UpstreamDataSettings>([
        .value(
            "url",
            \.url,
            as: .personURL,
            help: "Where it is, with {person} in the place of the id.",
            required: true,
            example: "https://data.upstream.example.com/people/{person}"
        ),
        .value(
            "key",
            \.key,
            as: SettingRule<Secret>.secret.optional,
            help: "What is shown there as bearer; by default nothing.",
            example: "env:ATES_DATA_KEY"
        ),
    ])
}

extension SettingRule where Value == String {
    /// An https URL, or an http one on this machine, with the place of a person's id behind the host, once.
    static var personURL: Self {
        Self(expected: "a URL like https://data.example.com/people/{person}") { text, _, _ throws(SettingError) in
            // The filling is in lower case, as it would be in a host.
            let filled = text.replacing(Upstream.Resource.placeholder, with: "0person0")
            guard text.split(separator: Upstream.Resource.placeholder, omittingEmptySubsequences: false).count == 2
            else { throw .refusing(text, "does not have {person} in it once") }
            let parts = try URLCheck.absolute(filled)
            guard parts.scheme == "https" || parts.scheme == "http" && Loopback.contains(host: parts.host) else {
                throw .refusing(text, "is no https URL; only https goes over a network")
            }
            guard !parts.host.isEmpty, !parts.host.contains("0person0"), parts.components.fragment == nil else {
                throw .refusing(text, "has {person} in its host, no host, or a fragment")
            }
            return text
        }
    }
}

extension UpstreamSettings {
    fileprivate var resource: Upstream.Resource? {
        guard let lookup, let data, let person = lookup.path(lookup.person) else { return nil }
        return Upstream.Resource(
            lookup: PersonLookup(
                url: lookup.url,
                person: person,
                status: lookup.status.flatMap { lookup.path($0) },
                activeWords: lookup.active,
                audience: lookup.audience.flatMap { lookup.path($0) }
                    .map { PersonLookup.Audience(path: $0, client: server.client.id) },
                keepsFor: lookup.keepFor
            ),
            dataURL: data.url,
            dataKey: data.key
        )
    }
}
