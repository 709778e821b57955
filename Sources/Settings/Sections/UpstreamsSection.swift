package import CodeFlow
import FoundationEssentials
package import Kernel
package import OAuth

/// An external authorization server that requires a client secret.
///
/// Its apps can't keep the secret, so the broker does.
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

    /// The upstream, with the resource that lookup and data form together.
    ///
    /// The checks have made sure that both are set together, and that their paths are valid for the answer's form.
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

/// How the person who owns an access token is looked up.
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
        help:
            "Authorization servers, by name, for apps that cannot keep the secret that these servers require. A client names one in its key upstream.",
        example: "ates",
        blank: { UpstreamSettings(name: $0) }
    )

    static let upstream = SettingSection<UpstreamSettings>([
        .value(
            "authorizeURL",
            \.server.authorizeURL,
            as: .secureURL,
            help: "The page where people sign in.",
            required: true,
            example: "https://login.upstream.example.com/authorize"
        ),
        .value(
            "tokenURL",
            \.server.tokenURL,
            as: .secureURL,
            help: "The address where codes and refresh tokens are exchanged.",
            required: true,
            example: "https://login.upstream.example.com/token"
        ),
        .value(
            "clientID",
            \.server.client.id,
            as: .text,
            help:
                "The client id of this server there. Its redirect URI is publicURL with /oauth/upstream/callback.",
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
            help: "How the secret is sent: in the form, or as HTTP Basic."
        ),
        .value(
            "issuer",
            \.server.issuer,
            as: SettingRule<String>.issuer.optional,
            help: "The issuer that it names in its answers (RFC 9207). Answers with another issuer are refused.",
            example: "https://login.upstream.example.com"
        ),
        .list("scopes", \.server.scopes, as: .scope, help: "The scopes that every sign-in asks for."),
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
            help: "The lookup of the person of an access token, together with data."
        ),
        .optionalGroup(
            "data",
            \.data,
            keys: upstreamData,
            blank: UpstreamDataSettings(),
            help: "The data of a person, together with lookup."
        ),
    ])

    static let lookup = SettingSection<LookupSettings>([
        .value(
            "url",
            \.url,
            as: .secureURL,
            help: "The address that is asked, with the access token as bearer.",
            required: true,
            example: "https://people.upstream.example.com/person"
        ),
        .value("answer", \.answer, as: .choice, help: "The format of the answer."),
        .value(
            "person",
            \.person,
            as: .text,
            help:
                "The position of the person's id in the answer: a JSON pointer, or a path of XML elements like /Person/Id or /Person/@id.",
            required: true,
            example: "/person/id"
        ),
        .value(
            "status",
            \.status,
            as: SettingRule<String>.text.optional,
            help: "The position of the person's status in the answer. By default any answer means an active person.",
            example: "/person/status"
        ),
        .list("active", \.active, as: .text, help: "The words at that position that mean an active person."),
        .value(
            "audience",
            \.audience,
            as: SettingRule<String>.text.optional,
            help:
                "The position of the token's client in the answer, which must be clientID. By default any client is accepted.",
            example: "/client"
        ),
        .value(
            "keepFor",
            \.keepFor,
            as: .duration(.zero...(.days(1))),
            help: "How long an id is cached at most, and never longer than the token is valid."
        ),
    ])

    static let upstreamData = SettingSection<UpstreamDataSettings>([
        .value(
            "url",
            \.url,
            as: .personURL,
            help: "The address of the data, with {person} instead of the id.",
            required: true,
            example: "https://data.upstream.example.com/people/{person}"
        ),
        .value(
            "key",
            \.key,
            as: SettingRule<Secret>.secret.optional,
            help: "The token that is sent there as bearer, by default none.",
            example: "env:ATES_DATA_KEY"
        ),
    ])
}

extension SettingRule where Value == String {
    /// An https URL, or an http one on this machine, with one placeholder for a person's id after the host.
    static var personURL: Self {
        Self(expected: "a URL like https://data.example.com/people/{person}") { text, _, _ throws(SettingError) in
            // The test value is in lower case, because a host would be converted to lower case.
            let filled = text.replacing(Upstream.Resource.placeholder, with: "0person0")
            guard text.split(separator: Upstream.Resource.placeholder, omittingEmptySubsequences: false).count == 2
            else { throw .refusing(text, "does not have {person} in it once") }
            let parts = try URLCheck.absolute(filled)
            guard parts.scheme == "https" || parts.scheme == "http" && Loopback.contains(host: parts.host) else {
                throw .refusing(text, "is not an https URL. Only https is allowed over a network")
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
