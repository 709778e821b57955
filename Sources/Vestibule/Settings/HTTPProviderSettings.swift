import FaceProviders
import Kernel
import Outbound

/// A provider that the config describes: its requests, and how their answers are read.
struct HTTPProviderSettings: ProviderCallSettings, Equatable {
    /// Where its API is, without a trailing slash.
    var baseURL = ""
    /// The origins that its pages may have.
    var pageOrigins: [String] = []
    var secrets: [NamedSetting<Secret>] = []
    var auth: HTTPAuthSettings = .none
    /// Sent with every request.
    var headers: [NamedSetting<TemplateText>] = []
    var begin = HTTPBeginSettings()
    var check = HTTPCheckSettings()
    var cancel: HTTPRequestSettings?
    /// JSON pointers into error answers.
    var errorTexts: [String] = []
    var connectTimeout: Duration = .seconds(3)
    var requestTimeout: Duration = .seconds(10)
    /// Status checks on their way at one time.
    var maxConcurrentChecks = 32
    var maxResponseBytes = 65_536
    var guarding = GuardSettings()
    var webhook: WebhookSettings?
}

/// A value under a name that the operator chose.
struct NamedSetting<Value: Sendable & Equatable>: Sendable, Equatable {
    let name: String
    var value: Value
}

/// How requests prove who sends them.
enum HTTPAuthSettings: Sendable, Equatable {
    case none
    case basic(HTTPBasicSettings)
    case bearer(HTTPBearerSettings)
    case oauth(HTTPOAuthSettings)
    case hmac(HTTPSignatureSettings)
}

struct HTTPBasicSettings: Sendable, Equatable {
    var user = Secret("")
    var password = Secret("")
}

struct HTTPBearerSettings: Sendable, Equatable {
    var token = Secret("")
}

/// A token for the client's credentials (RFC 6749 §4.4).
struct HTTPOAuthSettings: Sendable, Equatable {
    enum Credentials: String, Sendable, CaseIterable {
        case basic, body
    }

    var tokenURL = ""
    var clientID = Secret("")
    var clientSecret = Secret("")
    var credentials: Credentials = .basic
    var scope: String?
    var audience: String?
}

/// An HMAC-SHA256 in a header.
struct HTTPSignatureSettings: Sendable, Equatable {
    enum Encoding: String, Sendable, CaseIterable {
        case hex, base64
    }

    var header = ""
    var key = Secret("")
    var sign: TemplateText?
    var encoding: Encoding = .hex
    var value: TemplateText?
}

/// One request; which of the values there are is each section's own affair.
struct HTTPRequestSettings: Sendable, Equatable {
    var method: HTTPMethodSetting
    var path: TemplateText?
    var headers: [NamedSetting<TemplateText>] = []
    var body: TemplateText?
    var sign: TemplateText?

    /// Whether it tells the provider where to send the browser back to.
    var namesCallback: Bool {
        [path, body].contains { $0?.namesCallback ?? false } || headers.contains { $0.value.namesCallback }
    }
}

/// A method as configs write it.
enum HTTPMethodSetting: String, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"

    var method: OutboundMethod {
        switch self {
        case .get: .get
        case .post: .post
        case .put: .put
        case .patch: .patch
        case .delete: .delete
        }
    }
}

/// The request that starts a scan.
struct HTTPBeginSettings: Sendable, Equatable {
    var request = HTTPRequestSettings(method: .post)
    /// A JSON pointer.
    var reference = ""
    /// A JSON pointer; `nil` when the page is made from `pageURL`.
    var page: String?
    var pageURL: TemplateText?
    /// JSON pointers.
    var find: [NamedSetting<String>] = []
}

/// The request that asks where a scan stands.
struct HTTPCheckSettings: Sendable, Equatable {
    var request = HTTPRequestSettings(method: .get)
    /// A JSON pointer; `nil` when the answer does not name its scan.
    var reference: String?
    /// Whether that is so: whoever forgets the pointer has not said it.
    var isAnswerUnnamed = false
    /// JSON pointers.
    var status: [String] = []
    var verdicts: [NamedSetting<TemplateVerdict>] = []
    var require: [NamedSetting<HTTPRequirementSettings>] = []
}

/// What must hold before an approval counts.
struct HTTPRequirementSettings: Sendable, Equatable {
    var pointer = ""
    var atLeast: Double?
    var equals: String?
    var otherwise: TemplateVerdict = .declined
}
