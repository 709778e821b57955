import Crypto
import FoundationEssentials
import Kernel
import Outbound

/// Builds a provider's requests from its templates.
struct TemplateRequests: Sendable {
    /// The address at which browsers reach this server.
    let publicURL: String
    private let configuration: HTTPTemplateConfiguration
    private let environment: Environment

    init(_ configuration: HTTPTemplateConfiguration, publicURL: String, environment: Environment) {
        self.configuration = configuration
        self.publicURL = publicURL
        self.environment = environment
    }

    /// The values of one request, in addition to those of every request.
    struct Values: Sendable {
        var account: String?
        var reference: String?
        var timeLeft: Duration?
        /// The address that the browser returns to; `nil`: the server's own address.
        var returnTo: String?
        /// Whether secrets, tokens and signatures are replaced by words that may be printed.
        var isMasked = false
    }

    /// Returns the request, with `token` as its bearer token if the authentication has one.
    func request(
        _ template: RequestTemplate,
        _ values: Values,
        token: Secret? = nil
    ) throws(TemplateError) -> OutboundRequest {
        let lookup = Lookup(
            secrets: configuration.secrets,
            publicURL: publicURL,
            values: values,
            now: environment.now(),
            requestID: environment.newUUID().description
        )
        let path = try template.path.filled { lookup[$0] }
        let body = try template.body?.filled { lookup[$0] } ?? ""
        var headers: [OutboundHeader] = []
        for header in configuration.headers + template.headers {
            headers.append(OutboundHeader(header.name, try header.value.filled { lookup[$0] }))
        }
        headers += try authentication(of: template, path: path, body: body, values: lookup, token: token)
        for (name, value) in [("Accept", "application/json"), ("Content-Type", "application/json")] {
            let isNeeded = name == "Accept" || template.body != nil
            guard isNeeded, !headers.contains(where: { $0.name.lowercased() == name.lowercased() }) else { continue }
            headers.append(OutboundHeader(name, value))
        }
        return OutboundRequest(
            template.method,
            .url(configuration.baseURL + path),
            headers: headers,
            body: Array(body.utf8),
            timeout: configuration.calls.requestTimeout,
            maxResponseBytes: configuration.calls.maxResponseBytes
        )
    }

    private func authentication(
        of template: RequestTemplate,
        path: String,
        body: String,
        values lookup: Lookup,
        token: Secret?
    ) throws(TemplateError) -> [OutboundHeader] {
        switch configuration.auth {
        case .none: return []
        case .basic(let basic):
            return [OutboundHeader("Authorization", "Basic \(lookup.shown(basic.pair, as: "<secret>"))")]
        case .bearer(let secret):
            return [OutboundHeader("Authorization", "Bearer \(lookup.shown(secret, as: "<secret>"))")]
        case .clientCredentials:
            return [OutboundHeader("Authorization", "Bearer \(lookup.shown(token ?? Secret(""), as: "<token>"))")]
        case .hmac(let signature):
            var signing = lookup
            signing.request = (template.method.rawValue, Self.pathOfURL(configuration.baseURL) + path, body)
            let text = try (template.sign ?? signature.sign)?.filled { signing[$0] } ?? body
            let code = lookup.shown(Secret(signature.code(over: text)), as: "<signature>")
            signing.signature = code
            return [OutboundHeader(signature.header, try signature.value?.filled { signing[$0] } ?? code)]
        }
    }

    /// Returns the path that a base URL puts before every request's path.
    private static func pathOfURL(_ url: String) -> String {
        guard let authority = url.firstRange(of: "://")?.upperBound,
            let start = url[authority...].firstIndex(of: "/")
        else { return "" }
        return String(url[start...])
    }
}

extension RequestSignature {
    /// Returns the HMAC over `text`, encoded for the header.
    func code(over text: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array(text.utf8),
            using: SymmetricKey(data: Array(key.expose().utf8))
        )
        return switch encoding {
        case .base64: Data(code).base64EncodedString()
        case .hex: Hex.encode(code)
        }
    }
}

/// The values of one request's variables: all of its templates get the same time and id.
private struct Lookup {
    let secrets: [NamedValue<Secret>]
    let publicURL: String
    let values: TemplateRequests.Values
    let now: Instant
    let requestID: String
    var request: (method: String, path: String, body: String)?
    var signature: String?

    /// Returns the secret, or the word for it in a print-out.
    func shown(_ secret: Secret, as word: String) -> String { values.isMasked ? word : secret.expose() }

    subscript(variable: TemplateVariable) -> String? {
        switch variable {
        case .account: values.account
        case .reference: values.reference
        // Rounded down: the deadline at the provider must not be later than this server's.
        case .deadlineSeconds: values.timeLeft.map { String(max(1, $0.components.seconds)) }
        case .deadlineTime: values.timeLeft.map { (now + $0).internetDate }
        case .callbackURL: values.returnTo ?? publicURL
        case .requestID: requestID
        case .publicURL: publicURL
        case .timestamp: String(now.seconds)
        case .time: now.internetDate
        case .method: request?.method
        case .path: request?.path
        case .body: request?.body
        case .signature: signature
        case .secret(let name):
            secrets.first { $0.name == name }.map { shown($0.value, as: "<secret.\(name)>") }
        case .found: nil
        }
    }
}
