import Kernel
import Logging
import Operations
import Outbound

/// Sends a described provider's requests, with the configured authentication.
///
/// After an answer of 401 it renews the token once and repeats the request once.
struct HTTPTemplateClient: Sendable {
    let requests: TemplateRequests
    private let configuration: HTTPTemplateConfiguration
    private let http: OutboundHTTP
    private let tokens: SharedToken?
    private let ownSecrets: [Secret]

    init(
        _ configuration: HTTPTemplateConfiguration,
        _ requests: TemplateRequests,
        http: OutboundHTTP,
        clock: any MonotonicClock,
        logger: Logger
    ) {
        self.configuration = configuration
        self.requests = requests
        self.http = http
        ownSecrets = configuration.ownSecrets
        tokens =
            switch configuration.auth {
            case .clientCredentials(let credentials):
                SharedToken(
                    ClientCredentialTokens(
                        credentials,
                        http: http,
                        timeout: configuration.calls.requestTimeout,
                        logger: logger
                    ),
                    clock: clock
                )
            case .none, .basic, .bearer, .hmac: nil
            }
    }

    func send(
        _ template: RequestTemplate,
        _ values: TemplateRequests.Values,
        label: String
    ) async throws(ProviderError) -> TemplateAnswer {
        guard let tokens else { return try await send(template, values, token: nil, label: label) }
        let access = try await tokens.current()
        let answer = try await send(template, values, token: access.token, label: label)
        guard answer.isUnauthorised else { return answer }
        tokens.discard(access)
        let renewed = try await tokens.current()
        let second = try await send(template, values, token: renewed.token, label: label)
        if second.isUnauthorised { tokens.discard(renewed) }
        return second
    }

    private func send(
        _ template: RequestTemplate,
        _ values: TemplateRequests.Values,
        token: Secret?,
        label: String
    ) async throws(ProviderError) -> TemplateAnswer {
        let request: OutboundRequest
        do throws(TemplateError) {
            request = try requests.request(template, values, token: token)
        } catch {
            throw .refused(cause: "\(label): \(error.message)")
        }
        do throws(OutboundError) {
            let response = try await http.send(request)
            let redaction = LogRedaction(ownSecrets + [token].compactMap { $0 })
            return TemplateAnswer(response, texts: configuration.errorTexts, redacting: redaction)
        } catch {
            switch error {
            case .tooLarge(let status, _) where (200..<300).contains(status): return .oversized
            case .tooLarge(let status, _):
                let response = OutboundResponse(status: status, headers: [], body: [])
                return TemplateAnswer(response, texts: [], redacting: LogRedaction([]))
            case .connect: throw .unreached(cause: "\(label): \(error)")
            case .timeout, .redirected, .transport, .cancelled: throw .unavailable(cause: "\(label): \(error)")
            }
        }
    }
}

extension HTTPTemplateConfiguration {
    /// This server's secrets, which a text for the log or a terminal must not repeat.
    var ownSecrets: [Secret] { secrets.map(\.value) + auth.secrets }

    /// Returns a value of an answer, fit for an operator's terminal.
    ///
    /// It is on one line, without secrets or control characters, and of bounded length. `nil` if nothing is left.
    package func printable(_ value: String) -> String? { LogRedaction(ownSecrets).logText(value, limit: 120) }
}

extension TemplateAuth {
    /// The secrets of the authentication, which a text for the log must not repeat.
    fileprivate var secrets: [Secret] {
        switch self {
        case .none: []
        case .basic(let basic): [basic.user, basic.password, basic.pair]
        case .bearer(let token): [token]
        case .clientCredentials(let credentials):
            [
                credentials.clientID, credentials.clientSecret,
                BasicCredentials(user: credentials.clientID, password: credentials.clientSecret).pair,
            ]
        case .hmac(let signature): [signature.key]
        }
    }
}
