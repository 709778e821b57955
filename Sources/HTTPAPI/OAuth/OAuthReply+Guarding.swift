import HTTPTypes
import Hummingbird
import OAuth
import TokenReading

extension OAuthReply {
    /// Answers a client that called directly, and turns every error into an OAuth error.
    ///
    /// That includes rate limits and an unavailable database, because libraries read `error` as a code (RFC 6749 §5.2).
    /// ``EdgeMiddleware`` decides about the log line and the metric.
    static func guarding(_ request: Request, _ answer: () async throws -> Response) async throws -> Response {
        do {
            return try await answer()
        } catch let refusal as OAuthError {
            return error(refusal, usedBasic: request.headers[.authorization] != nil)
        } catch let cause {
            // RFC 9449 §5.
            if let fault = (cause as? APIError)?.proofError {
                return error(OAuthError(.invalidDPoPProof, "The DPoP proof is not valid here (\(fault.rawValue))."))
            }
            throw PageError(cause: cause, page: Self.answer(to: APIError(cause, bodyLimit: OAuthForm.limit)))
        }
    }
}

extension OAuthReply {
    /// Returns an API error as an OAuth error under its own status; `code` is for an unreadable request.
    static func answer(to problem: APIError, as code: OAuthErrorCode = .invalidRequest) -> Response {
        var answer = error(OAuthError(Self.code(for: problem) ?? code, OAuthError.printable(problem.message)))
        answer.status = problem.status
        if let seconds = problem.retryAfter { answer.headers[.retryAfter] = String(seconds) }
        if problem.endsConnection { answer.headers[.connection] = "close" }
        return answer
    }

    /// Returns the OAuth code; `nil` for an error in the request.
    private static func code(for problem: APIError) -> OAuthErrorCode? {
        switch problem.status {
        // "A temporary overloading or maintenance of the server" (RFC 6749 §4.1.2.1).
        case .tooManyRequests, .serviceUnavailable: .temporarilyUnavailable
        case let status where status.kind == .serverError: .serverError
        default: nil
        }
    }
}

extension OAuthError {
    /// Returns the text without the characters that `error_description` forbids (RFC 6749 §5.2).
    fileprivate static func printable(_ text: String) -> String {
        let plain = text.replacing("’", with: "'").replacing("“", with: "'").replacing("”", with: "'")
        return String(
            String.UnicodeScalarView(
                plain.unicodeScalars.filter { (0x20...0x7E).contains($0.value) && $0 != "\"" && $0 != "\\" }
            )
        )
    }
}

extension TokenLimitsRequest {
    /// Reads the resources of a token request that may not change the scope.
    init(resourcesOf form: OAuthForm) { self.init(resources: form.all("resource")) }
}
