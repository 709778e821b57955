import Hummingbird
import Kernel
import NIOCore
import Operations
import Tokens
import Web
import Wire

/// The bodies that answer polls.
///
/// The most frequent ones are written without an encoder. A test compares them with the encoding of Wire's types.
enum PollReply {
    /// Returns the answer for a view.
    ///
    /// `kind`: The kind of operation.
    ///
    /// `texts`: The language of a failure's message.
    static func encode(
        _ view: PollView,
        interval: Int,
        of kind: OperationKind = .login,
        in texts: @autoclosure () -> LocalizedStrings = .english
    ) -> Response {
        switch view {
        case .pending(let hint, let seq, let timeLeft):
            return JSONReply.bytes(pending(hint, seq: seq, timeLeft: timeLeft, interval: interval))
        case .failed(let code, let seq):
            let texts = texts()
            var response = JSONReply.encode(failed(code, seq: seq, of: kind, in: texts))
            response.say(in: texts)
            return response
        case .delivered(let seq):
            var answer = PollLoginResponse(status: .completed, seq: seq)
            // An enrolment delivers no tokens.
            if kind != .enroll { answer.delivery = "closed" }
            return JSONReply.encode(answer)
        case .completed(_, _, let seq), .attested(_, _, let seq):
            // Only ``PollHandlers`` adds tokens. Without them the view counts as delivered.
            return encode(.delivered(seq: seq), interval: interval)
        }
    }

    static func pending(_ hint: PendingHint, seq: Int64, timeLeft: Duration, interval: Int) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeString("{\"hint\":\"")
        buffer.writeString(hint.rawValue)
        buffer.writeString("\",\"interval\":")
        buffer.writeString(String(interval))
        buffer.writeString(",\"operationExpiresIn\":")
        buffer.writeString(String(timeLeft.secondsRoundedUp))
        buffer.writeString(",\"seq\":")
        buffer.writeString(String(seq))
        buffer.writeString(",\"status\":\"pending\"}")
        return buffer
    }

    /// Encodes the same as ``completed(_:_:seq:)`` without an encoder, because every sign-in ends with it.
    static func encode(_ tokens: LoginTokens, _ person: SignedInPerson, seq: Int64) -> Response {
        var json = JSONWriter(capacity: 3072)
        json.object { answer in
            answer.write(tokens: tokens) { member in
                member.member("seq", integer: seq)
                member.member("status", string: LoginStatus.completed.rawValue)
            }
            answer.nested("tokens") { $0.write(tokens: tokens) { _ in } }
            answer.nested("user") { user in
                user.member("accessLevel", string: person.accessLevel)
                user.member("department", string: person.department)
                user.member("email", string: person.email)
                user.member("id", string: person.account.description)
                user.member("name", string: person.name)
                user.member("role", string: person.role)
            }
        }
        return JSONReply.bytes(ByteBuffer(bytes: json.bytes))
    }

    static func completed(_ tokens: LoginTokens, _ person: SignedInPerson, seq: Int64) -> PollLoginResponse {
        var answer = PollLoginResponse(status: .completed, seq: seq)
        answer.user = LoginUser(
            id: person.account.description,
            name: person.name,
            email: person.email,
            department: person.department,
            role: person.role,
            accessLevel: person.accessLevel
        )
        answer.tokens = tokens
        answer.accessToken = tokens.accessToken
        answer.refreshToken = tokens.refreshToken
        answer.expiresIn = tokens.expiresIn
        answer.tokenType = tokens.tokenType
        return answer
    }

    static func failed(
        _ code: FailureCode,
        seq: Int64,
        of kind: OperationKind = .login,
        in texts: LocalizedStrings = .english
    ) -> PollLoginResponse {
        var answer = PollLoginResponse(status: .failed, seq: seq)
        let message = texts.failure(code, of: kind)
        answer.failure = LoginFailure(code: code.rawValue, message: message, retryable: code.isRetryable)
        answer.code = code.rawValue
        answer.message = message
        return answer
    }

    /// Returns the answer to an acknowledgement or a cancellation.
    static func receipt(
        _ outcome: EndOutcome,
        of kind: OperationKind = .login,
        in texts: LocalizedStrings
    ) throws -> Response {
        switch outcome {
        case .unknown: throw APIError.operationNotFound
        case .unauthorized: throw APIError.unauthorized(.operation)
        case .current(let view):
            var response = JSONReply.encode(receipt(view, of: kind, in: texts))
            response.say(in: texts)
            return response
        }
    }

    private static func receipt(
        _ view: PollView,
        of kind: OperationKind,
        in texts: LocalizedStrings
    ) -> OperationReceipt {
        switch view {
        case .pending(_, let seq, _): OperationReceipt(status: .pending, seq: seq)
        case .failed(let code, let seq):
            OperationReceipt(status: .failed, seq: seq, code: code.rawValue, message: texts.failure(code, of: kind))
        case .completed(_, _, let seq), .attested(_, _, let seq), .delivered(let seq):
            OperationReceipt(status: .completed, seq: seq)
        }
    }
}

extension JSONWriter {
    /// Writes the four members of a token answer in alphabetical order.
    ///
    /// `between`: Writes further members before the last one.
    fileprivate mutating func write(tokens: LoginTokens, between: (inout JSONWriter) -> Void) {
        member("accessToken", string: tokens.accessToken)
        member("expiresIn", integer: Int64(tokens.expiresIn))
        member("refreshToken", string: tokens.refreshToken)
        between(&self)
        member("tokenType", string: tokens.tokenType)
    }
}
