package import CodeFlow
package import Kernel

/// An external authorization server that does not support public clients, and the data behind it.
///
/// It requires a client secret with every code and refresh token. An app cannot keep a secret, so the broker does.
package struct Upstream: Sendable, Equatable {
    /// The operator's name for the upstream.
    package let name: String
    package var server: AuthorizationServer
    /// Whether the upstream supports code challenges (RFC 7636), so that it is sent one.
    package var takesCodeChallenge: Bool
    /// The data that the upstream serves; `nil` if the upstream is used for sign-in alone.
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

    /// The way to find the person of an access token, and that person's data.
    package struct Resource: Sendable, Equatable {
        package let lookup: PersonLookup
        /// The address of the data, with `{person}` where the person's id belongs.
        package let dataURL: String
        /// The bearer token for the data server.
        ///
        /// It is never the person's own access token.
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

/// The lookup of an access token's person: a request with the token, and the path of the person's id in the answer.
package struct PersonLookup: Sendable, Equatable {
    package let url: String
    package let person: ValuePath
    /// The path of the person's status in the answer; `nil` where every answer means that the person is active.
    package let status: ValuePath?
    /// The values of ``status`` that mean that the person is active.
    package let activeWords: [String]
    /// The client that the answer must name as the token's; `nil` where the answer names no client.
    package let audience: Audience?
    /// The longest time for which an id is cached.
    ///
    /// It is never cached for longer than its token is valid.
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

    /// The client of the upstream that a token must belong to, and the path of the token's client in an answer.
    ///
    /// Another client's token is refused (RFC 9700 §2.3).
    package struct Audience: Sendable, Equatable {
        package let path: ValuePath
        package let client: String

        package init(path: ValuePath, client: String) {
            self.path = path
            self.client = client
        }
    }
}

/// The path of a value in an upstream's answer.
///
/// Its case also decides the answer's format.
package enum ValuePath: Sendable, Equatable {
    case json(JSONPointer)
    case xml(XMLPath)

    /// Returns the text, whole number or Boolean at the path.
    ///
    /// - Throws: ``UnreadableAnswerError`` for a body in another format.
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

/// The error of an answer that is not in the format of its path.
struct UnreadableAnswerError: Error, Equatable {}
