import FoundationEssentials
import Kernel
import Logging
import Operations
import Outbound

/// Requests an access token with the client's credentials (RFC 6749 §4.4).
struct ClientCredentialTokens: TokenSource {
    /// A token is not used in its last minute, so that it doesn't expire before it arrives.
    ///
    /// A token that lives under two minutes is not used in the second half of its life.
    static let margin: Duration = .seconds(60)
    /// The lifetime of a token whose answer states none.
    static let assumedLifetime: Duration = .seconds(300)
    /// The upper limit: a wrong clock or provider must not make a token last forever.
    static let longestLifetime: Duration = .seconds(3600)
    private static let longestToken = 16_384

    private let credentials: ClientCredentials
    private let http: OutboundHTTP
    private let timeout: Duration
    private let logger: Logger

    init(_ credentials: ClientCredentials, http: OutboundHTTP, timeout: Duration, logger: Logger) {
        self.credentials = credentials
        self.http = http
        self.timeout = timeout
        self.logger = logger
    }

    func obtain() async throws(ProviderError) -> IssuedToken {
        let response: OutboundResponse
        do throws(OutboundError) {
            response = try await http.send(request)
        } catch {
            throw .token("\(error)")
        }
        guard (200..<300).contains(response.status) else { throw .token("HTTP \(response.status)") }
        guard let token = Token(response.body, longest: Self.longestToken) else {
            throw .token("the answer cannot be read")
        }
        let lifetime = min(token.lifetime ?? Self.assumedLifetime, Self.longestLifetime)
        logger.debug("the provider issued a token", metadata: ["seconds": "\(lifetime.components.seconds)"])
        return IssuedToken(token: token.access, freshFor: max(lifetime - Self.margin, lifetime / 2))
    }

    private var request: OutboundRequest {
        var form = [("grant_type", "client_credentials")]
        if let scope = credentials.scope { form.append(("scope", scope)) }
        if let audience = credentials.audience { form.append(("audience", audience)) }
        var headers = [
            OutboundHeader("Accept", "application/json"),
            OutboundHeader("Content-Type", "application/x-www-form-urlencoded"),
        ]
        switch credentials.transport {
        case .body:
            form.append(("client_id", credentials.clientID.expose()))
            form.append(("client_secret", credentials.clientSecret.expose()))
        case .basic:
            // RFC 6749 §2.3.1: id and secret are each form-encoded before they are joined.
            let pair = [credentials.clientID, credentials.clientSecret]
                .map { PercentEncoding.component($0.expose()) }.joined(separator: ":")
            headers.append(OutboundHeader("Authorization", "Basic \(Data(pair.utf8).base64EncodedString())"))
        }
        let body = QueryText.text(form)
        return OutboundRequest(
            .post,
            .url(credentials.tokenURL),
            headers: headers,
            body: Array(body.utf8),
            timeout: timeout,
            maxResponseBytes: 65_536
        )
    }

    /// The answer of the token endpoint (RFC 6749 §5.1).
    private struct Token {
        let access: Secret
        let lifetime: Duration?

        init?(_ body: [UInt8], longest: Int) {
            guard case .object(let members)? = try? JSONReader.read(body),
                case .string(let text)? = members["access_token"], PrintableToken.isOne(text, upTo: longest)
            else { return nil }
            // This adapter can send no other type than Bearer (§7.1).
            if let type = members["token_type"]?.word, type.lowercased() != "bearer" { return nil }
            access = Secret(text)
            lifetime = members["expires_in"]?.number.flatMap { (1...1e9).contains($0) ? .seconds($0) : nil }
        }
    }
}

extension ProviderError {
    /// Returns the error of a failed token request: the request that could start a scan was not sent.
    fileprivate static func token(_ why: String) -> ProviderError {
        ProviderError.unavailable(cause: "asking for a token: \(why)").withoutToken
    }
}
