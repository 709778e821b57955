import Operations
import Outbound

/// The meaning of an authID answer, by its status.
enum AuthIDAnswer: Sendable, Equatable {
    /// 200, 201, 202 or 204, with its body.
    case good([UInt8])
    /// 2xx, with a body above the size limit.
    case oversized
    /// authID refuses the request: 4xx, except temporary errors and authentication errors of this server.
    case refused(AuthIDError)
    /// authID is temporarily unavailable: 408, 425, 429, 5xx and every status that is not final.
    ///
    /// Other 2xx codes belong here: with 203 a proxy changed the answer (RFC 9110 §15.3.4), and 206 is only a part of
    /// it. So do 401 and 403: this server's keys or token are wrong, which an operator fixes. They say nothing about
    /// the person.
    case unavailable(AuthIDError)

    init(status: Int, body: [UInt8], redacting redaction: LogRedaction) {
        switch status {
        case 200, 201, 202, 204: self = .good(body)
        case 401, 403, 408, 425, 429:
            self = .unavailable(AuthIDError(status: status, body: body, redacting: redaction))
        case 400..<500: self = .refused(AuthIDError(status: status, body: body, redacting: redaction))
        default: self = .unavailable(AuthIDError(status: status, body: body, redacting: redaction))
        }
    }

    var isUnauthorised: Bool {
        guard case .unavailable(let refusal) = self else { return false }
        return refusal.status == 401
    }

    /// The status in words, for the log.
    var summary: String {
        switch self {
        case .good: "unreadable"
        case .oversized: "too large"
        case .refused(let refusal), .unavailable(let refusal): "\(refusal)"
        }
    }

    /// Returns the body of a good answer, and throws the error for any other answer.
    func usable(for call: AuthIDCall) throws(ProviderError) -> [UInt8] {
        switch self {
        case .good(let body): return body
        case .oversized: throw .unreadable(call)
        case .refused(let refusal): throw .refused(refusal, call)
        case .unavailable(let refusal): throw .unavailable(refusal, call)
        }
    }
}

extension ProviderError {
    static func refused(_ refusal: AuthIDError, _ call: AuthIDCall) -> ProviderError {
        .refused(cause: "\(call.label): \(refusal)")
    }

    static func unavailable(_ refusal: AuthIDError, _ call: AuthIDCall) -> ProviderError {
        .unavailable(cause: "\(call.label): \(refusal)")
    }

    /// Returns the error for a good status with a body that can't be read.
    static func unreadable(_ call: AuthIDCall) -> ProviderError {
        .unavailable(cause: "\(call.label): the answer cannot be read")
    }

    /// Translates the error of a request that got no answer.
    init(_ failure: OutboundError, _ call: AuthIDCall) {
        let cause = "\(call.label): \(failure)"
        self =
            switch failure {
            case .connect: .unreached(cause: cause)
            case .timeout, .tooLarge, .redirected, .transport, .cancelled: .unavailable(cause: cause)
            }
    }
}
