package import CodeFlow
package import Kernel

/// An external authorization server that supports no public clients, and the data behind it.
///
/// It requires a client secret with every code and refresh token. An app can't keep one, so the broker does.
package struct Upstream: Sendable, Equatable {
    /// The operator's name for it.
    package let name: String
    package var server: AuthorizationServer
    /// Whether the upstream binds codes to a verifier (RFC 7636), so that one is sent to it as well.
    package var takesCodeChallenge: Bool
    /// The data that the upstream serves; `nil` for one that is used for sign-in alone.
    package var resource: Resource?
    /// The timeout of one request.
    package var timeout: Duration

    package init(
        name: String,
        server: AuthorizationServer,
        takesCodeChallenge: Bool = false,
        resource: Resource? = nil,
        timeout: Duration = .seconds(5)
    ) {
        self.name = name
        self.server = server
        self.takesCodeChallenge = takesCodeChallenge
        self.resource = resource
        self.timeout = timeout
    }

    /// The person behind an access token, and the data of that person.
    package struct Resource: Sendable, Equatable {
        package let lookup: PersonLookup
        /// The address of the data, with `{person}` in the place of the person's id.
        package let dataURL: String
        /// The bearer token for the data server; never the person's own.
        package let dataKey: Secret?

        package init(lookup: PersonLookup, dataURL: String, dataKey: Secret? = nil) {
            self.lookup = lookup
            self.dataURL = dataURL
            self.dataKey = dataKey
        }

        /// The placeholder of the person's id in ``dataURL``.
        package static let placeholder = "{person}"
    }
}

/// The lookup of the person behind an access token: a request with the token, and the path of the id in the answer.
package struct PersonLookup: Sendable, Equatable {
    package let url: String
    package let person: ValuePath
    /// The path of the person's status in the answer; `nil` where every answer means an active person.
    package let status: ValuePath?
    /// The values of ``status`` that mean an active person.
    package let activeWords: [String]
    /// The token's client in the answer; `nil` where the answer does not name it.
    package let audience: Audience?
    /// The longest time that an id is cached; never longer than its token is valid.
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

    /// A client of the upstream, and the path of a token's client in an answer: another client's token is refused
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

/// The path of a value in an upstream's answer, which also decides the answer's format.
package enum ValuePath: Sendable, Equatable {
    case json(JSONPointer)
    case xml(XMLPath)

    /// Returns the text or whole number at the path.
    ///
    /// - Throws: ``UnreadableAnswerError`` for a body of another format.
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

/// The error of an answer in another format.
struct UnreadableAnswerError: Error, Equatable {}
