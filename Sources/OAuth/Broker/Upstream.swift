package import CodeFlow
package import Kernel

/// An authorization server elsewhere that knows no public clients, and what lies behind it.
///
/// It wants a client secret with every code and refresh token, which an app can't keep: the broker keeps it, and stands
/// between the two.
package struct Upstream: Sendable, Equatable {
    /// The operator's name for it.
    package let name: String
    /// Its `iss`, which its answers then have to bring (RFC 9207); `nil` where it sends none.
    package var issuer: String?
    package var authorizeURL: String
    package var tokenURL: String
    package var clientID: String
    package var clientSecret: Secret
    package var authentication: Authentication
    /// What is asked for with every sign-in.
    package var scopes: [String]
    /// Whether it binds codes to a verifier (RFC 7636), so that one is sent to it as well.
    package var takesCodeChallenge: Bool
    /// Whose data there is, and where; `nil` for one that is only signed in with.
    package var resource: Resource?
    /// For one request to it.
    package var timeout: Duration

    package init(
        name: String,
        issuer: String? = nil,
        authorizeURL: String,
        tokenURL: String,
        clientID: String,
        clientSecret: Secret,
        authentication: Authentication = .post,
        scopes: [String] = [],
        takesCodeChallenge: Bool = false,
        resource: Resource? = nil,
        timeout: Duration = .seconds(5)
    ) {
        self.name = name
        self.issuer = issuer
        self.authorizeURL = authorizeURL
        self.tokenURL = tokenURL
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.authentication = authentication
        self.scopes = scopes
        self.takesCodeChallenge = takesCodeChallenge
        self.resource = resource
        self.timeout = timeout
    }

    /// Where the secret goes (RFC 6749 §2.3.1).
    package enum Authentication: String, Sendable, CaseIterable {
        case post, basic
    }

    /// The person behind an access token, and the data of that person.
    package struct Resource: Sendable, Equatable {
        package let lookup: PersonLookup
        /// With `{person}` where the person's id goes.
        package let dataURL: String
        /// What the data's server is shown as a bearer token; never the person's own.
        package let dataKey: Secret?

        package init(lookup: PersonLookup, dataURL: String, dataKey: Secret? = nil) {
            self.lookup = lookup
            self.dataURL = dataURL
            self.dataKey = dataKey
        }

        /// What stands for the person's id in ``dataURL``.
        package static let placeholder = "{person}"
    }
}

extension Upstream: AuthorizationServer {
    package var secret: ClientSecretUse {
        switch authentication {
        case .post: .form(clientSecret)
        case .basic: .basic(clientSecret)
        }
    }

    package var hasLooseAnswers: Bool { true }
}

/// How the person behind an access token is found out: a request with the token, and where the answer has the id.
package struct PersonLookup: Sendable, Equatable {
    package let url: String
    package let person: ValuePath
    /// Where the answer says whether the person is active; `nil` where that it answers says so.
    package let status: ValuePath?
    /// The words at ``status`` that say yes.
    package let activeWords: [String]
    /// Where the answer says whom the token was given to; `nil` where it does not say.
    package let audience: Audience?
    /// How long an id is kept at the most; never longer than its token is good.
    package let keepsFor: Duration

    package init(
        url: String,
        person: ValuePath,
        status: ValuePath? = nil,
        activeWords: [String] = [],
        audience: Audience? = nil,
        keepsFor: Duration = .seconds(3600)
    ) {
        self.url = url
        self.person = person
        self.status = status
        self.activeWords = activeWords
        self.audience = audience
        self.keepsFor = keepsFor
    }

    /// A client of the upstream, and where an answer names the one that a token was given to: a token of another opens nothing
    /// (RFC 9700 §2.3).
    package struct Audience: Sendable, Equatable {
        package let path: ValuePath
        package let client: String

        package init(path: ValuePath, client: String) {
            self.path = path
            self.client = client
        }
    }
}

/// Where a value stands in an upstream's answer, and so what the answer is.
package enum ValuePath: Sendable, Equatable {
    case json(JSONPointer)
    case xml(XMLPath)

    /// The text or whole number that stands there.
    ///
    /// - Throws: ``UnreadableAnswerError`` for bytes that are no such document.
    func value(in body: [UInt8]) throws(UnreadableAnswerError) -> String? {
        switch self {
        case .json(let pointer):
            guard let document = try? JSONReader.read(body) else { throw UnreadableAnswerError() }
            switch pointer.value(in: document) {
            case .string(let text): return text
            case .number(let digits): return Int64(digits).map { String($0) }
            case .bool(let flag): return flag ? "true" : "false"
            case .null, .array, .object, nil: return nil
            }
        case .xml(let path):
            guard let root = try? XMLReader.read(body) else { throw UnreadableAnswerError() }
            return path.value(in: root)
        }
    }
}

/// An answer that is not what it should be.
struct UnreadableAnswerError: Error, Equatable {}
