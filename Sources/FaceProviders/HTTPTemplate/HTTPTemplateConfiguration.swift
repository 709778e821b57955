package import Kernel
package import Operations
package import Outbound

/// A provider that the config describes: its requests, and how their answers are read.
package struct HTTPTemplateConfiguration: Sendable {
    package var name: ProviderName
    /// Scheme, host, port and perhaps a path, without a trailing slash.
    package var baseURL: String
    /// The address at which browsers reach this server.
    package var publicURL: String
    /// The origins that its pages may have.
    package var pageOrigins: [String]
    package var secrets: [String: Secret]
    package var auth: TemplateAuth
    /// Sent with every request.
    package var headers: [TemplateHeader]
    package var begin: BeginTemplate
    package var check: CheckTemplate
    /// `nil` lets unneeded scans end by themselves.
    package var cancel: RequestTemplate?
    /// The positions of the reasons in an error answer, for the log.
    package var errorTexts: [JSONPointer]
    package var connectTimeout: Duration = .seconds(3)
    package var requestTimeout: Duration = .seconds(10)
    package var checkConcurrency = 32
    package var startConcurrency = 32
    package var maxResponseBytes = 65_536

    package init(
        name: ProviderName,
        baseURL: String,
        publicURL: String,
        pageOrigins: [String],
        secrets: [String: Secret] = [:],
        auth: TemplateAuth = .none,
        headers: [TemplateHeader] = [],
        begin: BeginTemplate,
        check: CheckTemplate,
        cancel: RequestTemplate? = nil,
        errorTexts: [JSONPointer] = []
    ) {
        self.name = name
        self.baseURL = baseURL
        self.publicURL = publicURL
        self.pageOrigins = pageOrigins
        self.secrets = secrets
        self.auth = auth
        self.headers = headers
        self.begin = begin
        self.check = check
        self.cancel = cancel
        self.errorTexts = errorTexts
    }

    /// A connection for every check and every start that may be in progress, and some for tokens and for scans that are
    /// ended.
    package var outboundLimits: OutboundLimits {
        OutboundLimits(connectTimeout: connectTimeout, connectionsPerHost: checkConcurrency + startConcurrency + 8)
    }
}

/// A header of a request.
package struct TemplateHeader: Sendable, Equatable {
    package let name: String
    package let value: TemplateText

    package init(_ name: String, _ value: TemplateText) {
        self.name = name
        self.value = value
    }
}

/// The template of one request.
package struct RequestTemplate: Sendable, Equatable {
    package var method: OutboundMethod
    /// Path and query, added to the base URL.
    package var path: TemplateText
    package var headers: [TemplateHeader]
    package var body: TemplateText?
    /// The signed text, where it differs from that of other requests (HMAC alone).
    package var sign: TemplateText?

    package init(
        _ method: OutboundMethod,
        _ path: TemplateText,
        headers: [TemplateHeader] = [],
        body: TemplateText? = nil,
        sign: TemplateText? = nil
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
        self.sign = sign
    }

    /// Whether it tells the provider the address that the browser returns to.
    package var namesCallback: Bool {
        path.namesCallback || (body?.namesCallback ?? false) || headers.contains { $0.value.namesCallback }
    }
}

/// The request that starts a scan, and where its answer holds what is needed.
package struct BeginTemplate: Sendable, Equatable {
    package enum Page: Sendable, Equatable {
        /// The address is in the answer.
        case at(JSONPointer)
        /// The address is made from the reference and found values.
        case made(TemplateText)
    }

    package var request: RequestTemplate
    package var reference: JSONPointer
    package var page: Page
    /// Further values of the answer, by name.
    package var find: [String: JSONPointer]

    package init(_ request: RequestTemplate, reference: JSONPointer, page: Page, find: [String: JSONPointer] = [:]) {
        self.request = request
        self.reference = reference
        self.page = page
        self.find = find
    }
}

/// The request for the state of a scan, and the reading of its answer.
package struct CheckTemplate: Sendable, Equatable {
    package var request: RequestTemplate
    /// The position of the scan's name in the answer; `nil` if it has none.
    package var reference: JSONPointer?
    package var status: [JSONPointer]
    package var verdicts: VerdictTable
    package var requirements: [VerdictRequirement]

    package init(
        _ request: RequestTemplate,
        reference: JSONPointer?,
        status: [JSONPointer],
        verdicts: VerdictTable,
        requirements: [VerdictRequirement] = []
    ) {
        self.request = request
        self.reference = reference
        self.status = status
        self.verdicts = verdicts
        self.requirements = requirements
    }
}

/// How requests prove who sends them.
package enum TemplateAuth: Sendable, Equatable {
    /// By headers of their own, or without authentication.
    case none
    /// RFC 7617.
    case basic(user: Secret, password: Secret)
    /// RFC 6750.
    case bearer(Secret)
    /// A token for the client's credentials (RFC 6749 §4.4).
    case clientCredentials(ClientCredentials)
    /// An HMAC-SHA256 in a header.
    case hmac(RequestSignature)
}

/// The source of a token, and the credentials for it.
package struct ClientCredentials: Sendable, Equatable {
    /// How the credentials travel (RFC 6749 §2.3.1).
    package enum Transport: Sendable, Equatable {
        case basic
        case body
    }

    package let tokenURL: String
    package let clientID: Secret
    package let clientSecret: Secret
    package let transport: Transport
    package let scope: String?
    package let audience: String?

    package init(
        tokenURL: String,
        clientID: Secret,
        clientSecret: Secret,
        transport: Transport = .basic,
        scope: String? = nil,
        audience: String? = nil
    ) {
        self.tokenURL = tokenURL
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.transport = transport
        self.scope = scope
        self.audience = audience
    }
}

/// A signature over a request.
package struct RequestSignature: Sendable, Equatable {
    package enum Encoding: Sendable, Equatable {
        case hex
        case base64
    }

    package let header: String
    package let key: Secret
    /// The signed text, unless a request has its own.
    package let sign: TemplateText
    package let encoding: Encoding
    /// The header's value, with `{{signature}}` in it.
    package let value: TemplateText

    package init(header: String, key: Secret, sign: TemplateText, encoding: Encoding, value: TemplateText) {
        self.header = header
        self.key = key
        self.sign = sign
        self.encoding = encoding
        self.value = value
    }
}
