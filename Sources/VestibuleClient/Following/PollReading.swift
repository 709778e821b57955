import Foundation
import Wire

/// The meaning of an answer with status 200 to a poll.
enum PollReading: Sendable, Equatable {
    /// `timeLeft` is the remaining lifetime in whole seconds, rounded up.
    case pending(hint: String?, seq: Int64, interval: Int?, timeLeft: Int?)
    case completed(Grant)
    /// The login is completed, but the answer has no tokens, because they were already delivered.
    case collected
    case failed(FaceLogin.Failure)
    /// The answer is not one of the API's. It does not end the login, because it may be incomplete.
    case unreadable

    struct Grant: Sendable, Equatable {
        let accessToken: String
        let refreshToken: String
        let tokenType: String
        let expiresIn: Int
        let user: SignedIn.User?
    }

    init(_ body: Data) {
        if let answer = try? JSONDecoder().decode(PollLoginResponse.self, from: body) {
            self =
                switch answer.status {
                case .pending:
                    .pending(
                        hint: answer.hint,
                        seq: answer.seq,
                        interval: answer.interval,
                        timeLeft: answer.operationExpiresIn
                    )
                case .completed: Self.grant(answer).map { .completed($0) } ?? .collected
                case .failed: .failed(FaceLogin.Failure(answer.failure, code: answer.code, message: answer.message))
                }
        } else if let bare = try? JSONDecoder().decode(BareStatus.self, from: body), bare.status == .failed {
            // The login has failed, even if the rest of the answer has an unknown form.
            self = .failed(FaceLogin.Failure(nil, code: nil, message: nil))
        } else {
            self = .unreadable
        }
    }

    private struct BareStatus: Decodable { let status: LoginStatus }

    private static func grant(_ answer: PollLoginResponse) -> Grant? {
        let user = answer.user.map(SignedIn.User.init(wire:))
        if let tokens = answer.tokens {
            return Grant(
                accessToken: tokens.accessToken,
                refreshToken: tokens.refreshToken,
                tokenType: tokens.tokenType,
                expiresIn: tokens.expiresIn,
                user: user
            )
        }
        guard let access = answer.accessToken, let refresh = answer.refreshToken else { return nil }
        return Grant(
            accessToken: access,
            refreshToken: refresh,
            tokenType: answer.tokenType ?? "Bearer",
            expiresIn: answer.expiresIn ?? 0,
            user: user
        )
    }
}

extension FaceLogin.Failure {
    init(_ failure: LoginFailure?, code: String?, message: String?) {
        self.init(
            code: Code(rawValue: failure?.code ?? code ?? "unknown"),
            message: failure?.message ?? message ?? "The sign-in failed.",
            retryable: failure?.retryable ?? false
        )
    }
}

extension SignedIn.User {
    init(wire user: LoginUser) {
        self.init(
            id: user.id,
            name: user.name,
            email: user.email,
            department: user.department,
            role: user.role,
            accessLevel: user.accessLevel
        )
    }
}
