import Accounts
import Kernel
import SignIn

/// `vestibule sessions revoke --account`: ends all sessions of an account, with the arguments of ``RevokeSession``.
struct RevokeSessions: AdminCommand {
    static let name = "revokeSessions"
    static let replyName = "revokedSessions"
    static let effect = CommandEffect.writes

    var account: String

    var preview: (any CommandPreview)? { PreviewRemedy(.revokeSessions, of: account) }

    func handle(_ services: AdminServices) async throws -> Int {
        let id = try await services.accounts.show(account).account.id
        let count = try await services.access.unitOfWork.run { [ending = services.access.ending] transaction in
            try ending.end(.sessionsRevoked, of: id, in: transaction)
        }
        try await services.access.ending.settle(.sessionsRevoked, of: id)
        return count
    }
}
