package import FaceProviders
package import Kernel
package import Outbound

/// A provider that the config describes: its requests, and how their answers are read.
package struct HTTPProviderSettings: ProviderCallSettings, Equatable {
    /// The URL of its API, without a trailing slash.
    package var baseURL = ""
    /// The origins that its pages may have.
    package var pageOrigins: [String] = []
    package var secrets: [NamedSetting<Secret>] = []
    package var auth: HTTPAuthSettings = .none
    /// Sent with every request.
    package var headers: [NamedSetting<TemplateText>] = []
    package var begin = HTTPBeginSettings()
    package var check = HTTPCheckSettings()
    package var cancel: HTTPRequestSettings?
    /// JSON pointers into error answers.
    package var errorTexts: [String] = []
    package var connectTimeout: Duration = .seconds(3)
    package var requestTimeout: Duration = .seconds(10)
    /// Status checks on their way at one time.
    package var maxConcurrentChecks = 32
    package var maxResponseBytes = 65_536
    package var guarding = GuardSettings()
    package var webhook: WebhookSettings?
}

/// A value under a name that the operator chose.
package struct NamedSetting<Value: Sendable & Equatable>: Sendable, Equatable {
    package let name: String
    package var value: Value
}

/// How requests prove who sends them.
package enum HTTPAuthSettings: Sendable, Equatable {
    case none
    case basic(HTTPBasicSettings)
    case bearer(HTTPBearerSettings)
    case oauth(HTTPOAuthSettings)
    case hmac(HTTPSignatureSettings)
}

package struct HTTPBasicSettings: Sendable, Equatable {
    package var user = Secret("")
    package var password = Secret("")
}

package struct HTTPBearerSettings: Sendable, Equatable {
    package var token = Secret("")
}

/// A token for the client's credentials (RFC 6749 §4.4).
package struct HTTPOAuthSettings: Sendable, Equatable {
    package var tokenURL = ""
    package var clientID = Secret("")
    package var clientSecret = Secret("")
    package var credentials: ClientCredentials.Transport = .basic
    package var scope: String?
    package var audience: String?
}

/// An HMAC-SHA256 in a header.
package struct HTTPSignatureSettings: Sendable, Equatable {
    package var header = ""
    package var key = Secret("")
    package var sign: TemplateText?
    package var encoding: RequestSignature.Encoding = .hex
    package var value: TemplateText?
}

/// One request; which of the values there are is each section's own affair.
package struct HTTPRequestSettings: Sendable, Equatable {
    package var method: OutboundMethod
    package var path: TemplateText?
    package var headers: [NamedSetting<TemplateText>] = []
    package var body: TemplateText?
    package var sign: TemplateText?

    /// Whether it tells the provider where to send the browser back to.
    package var namesCallback: Bool {
        [path, body].contains { $0?.namesCallback ?? false } || headers.contains { $0.value.namesCallback }
    }
}

/// The request that starts a scan.
package struct HTTPBeginSettings: Sendable, Equatable {
    package var request = HTTPRequestSettings(method: .post)
    /// A JSON pointer.
    package var reference = ""
    /// A JSON pointer; `nil` when the page is made from `pageURL`.
    package var page: String?
    package var pageURL: TemplateText?
    /// JSON pointers.
    package var find: [NamedSetting<String>] = []
}

/// The request that asks where a scan stands.
package struct HTTPCheckSettings: Sendable, Equatable {
    package var request = HTTPRequestSettings(method: .get)
    /// A JSON pointer; `nil` when the answer does not name its scan.
    package var reference: String?
    /// Whether the operator has said so: a forgotten pointer alone does not.
    package var isAnswerUnnamed = false
    /// JSON pointers.
    package var status: [String] = []
    package var verdicts: [NamedSetting<TemplateVerdict>] = []
    package var require: [NamedSetting<HTTPRequirementSettings>] = []
}

/// A requirement that must hold before an approval counts.
package struct HTTPRequirementSettings: Sendable, Equatable {
    package var pointer = ""
    package var atLeast: Double?
    package var equals: String?
    package var otherwise: TemplateVerdict = .declined
}
