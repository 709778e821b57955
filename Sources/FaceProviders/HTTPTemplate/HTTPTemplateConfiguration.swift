import FoundationEssentials
package import Kernel
package import Outbound

/// A provider that the config describes: its requests, and how their answers are read.
package struct HTTPTemplateConfiguration: Sendable, Equatable {
    /// Scheme, host, port and an optional path, without a trailing slash.
    package var baseURL: String
    /// The origins that the provider's scan pages may have.
    package var pageOrigins: [String]
    package var secrets: [NamedValue<Secret>]
    package var auth: TemplateAuth
    /// The headers of every request.
    package var headers: [TemplateHeader]
    package var begin: BeginTemplate
    package var check: CheckTemplate
    /// The request that cancels a scan; `nil`: scans that are not needed any more end by themselves.
    package var cancel: RequestTemplate?
    /// The positions of the reasons in an error answer, for the log.
    package var errorTexts: [JSONPointer]
    package var calls: CallLimits

    package init(
        baseURL: String,
        pageOrigins: [String],
        secrets: [NamedValue<Secret>] = [],
        auth: TemplateAuth = .none,
        headers: [TemplateHeader] = [],
        begin: BeginTemplate,
        check: CheckTemplate,
        cancel: RequestTemplate? = nil,
        errorTexts: [JSONPointer] = [],
        calls: CallLimits = CallLimits()
    ) {
        self.baseURL = baseURL
        self.pageOrigins = pageOrigins
        self.secrets = secrets
        self.auth = auth
        self.headers = headers
        self.begin = begin
        self.check = check
        self.cancel = cancel
        self.errorTexts = errorTexts
        self.calls = calls
    }
}

/// A header of a request.
package typealias TemplateHeader = NamedValue<TemplateText>

/// The template of one request.
package struct RequestTemplate: Sendable, Equatable {
    package var method: OutboundMethod
    /// Path and query, added to the base URL.
    package var path: TemplateText
    package var headers: [TemplateHeader]
    package var body: TemplateText?
    /// The signed text, where it differs from that of other requests (only for HMAC).
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

    /// Whether the request tells the provider the address that the browser returns to.
    package var namesCallback: Bool {
        path.namesCallback || (body?.namesCallback ?? false) || headers.contains { $0.value.namesCallback }
    }
}

/// The request that starts a scan, and the pointers into its answer.
package struct BeginTemplate: Sendable, Equatable {
    package enum Page: Sendable, Equatable {
        /// The address is in the answer.
        case at(JSONPointer)
        /// The address is built from the scan's reference and found values.
        case made(TemplateText)
    }

    package var request: RequestTemplate
    package var reference: JSONPointer
    package var page: Page
    /// The pointers to further values of the answer.
    package var find: [NamedValue<JSONPointer>]

    package init(
        _ request: RequestTemplate,
        reference: JSONPointer,
        page: Page,
        find: [NamedValue<JSONPointer>] = []
    ) {
        self.request = request
        self.reference = reference
        self.page = page
        self.find = find
    }
}

/// The request for the state of a scan, and the reading of its answer.
package struct CheckTemplate: Sendable, Equatable {
    package var request: RequestTemplate
    /// The position of the scan's reference in the answer; `nil` if the answer has none.
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

/// The authentication of requests.
package enum TemplateAuth: Sendable, Equatable {
    /// No authentication, or headers from the config.
    case none
    /// HTTP Basic (RFC 7617).
    case basic(BasicCredentials)
    /// A fixed bearer token (RFC 6750).
    case bearer(Secret)
    /// An access token obtained with the client's credentials (RFC 6749 §4.4).
    case clientCredentials(ClientCredentials)
    /// An HMAC-SHA256 in a header.
    case hmac(RequestSignature)
}

/// The credentials of HTTP Basic.
package struct BasicCredentials: Sendable, Equatable {
    package var user: Secret
    package var password: Secret

    package init(user: Secret, password: Secret) {
        self.user = user
        self.password = password
    }

    /// The pair as it is sent (RFC 7617 §2).
    var pair: Secret { Secret(Data("\(user.expose()):\(password.expose())".utf8).base64EncodedString()) }
}

/// The token endpoint, and the credentials for it.
package struct ClientCredentials: Sendable, Equatable {
    /// The part of the request that carries the credentials (RFC 6749 §2.3.1).
    package enum Transport: Sendable, Equatable {
        case basic
        case body
    }

    package var tokenURL: String
    package var clientID: Secret
    package var clientSecret: Secret
    package var transport: Transport
    package var scope: String?
    package var audience: String?

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

    package var header: String
    package var key: Secret
    /// The signed text, unless a request has its own; `nil`: the body is signed.
    package var sign: TemplateText?
    package var encoding: Encoding
    /// The header's value, which contains `{{signature}}`; `nil`: the signature alone.
    package var value: TemplateText?

    package init(
        header: String,
        key: Secret,
        sign: TemplateText? = nil,
        encoding: Encoding = .hex,
        value: TemplateText? = nil
    ) {
        self.header = header
        self.key = key
        self.sign = sign
        self.encoding = encoding
        self.value = value
    }
}
