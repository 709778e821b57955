import Hummingbird
import Kernel
import Operations

/// Starts approvals, in which a signed-in person agrees to something with their face.
///
/// Whichever route starts one, clients follow and collect it by the routes of ``ApprovalAPI``.
struct ApprovalStarter: Sendable {
    let service: OperationService
    let clients: ClientDirectory
    let callers: CallerReader
    /// The public address, without a trailing slash.
    let publicURL: String
    let following: SessionFollowing

    /// Begins an approval by the session's person.
    ///
    /// - Throws: ``ApprovalError``; ``LimitExceededError``.
    func start(
        _ approval: ApprovalRequest,
        by who: SignedIn,
        for request: Request,
        in context: APIContext
    ) async throws -> Response {
        let policy = try clients.client(named: who.client, surface: nil)
        let starter = following.starter(who, email: MaskedEmail.mask(who.email), for: request, in: context)
        let begun = try await service.beginApproval(of: approval, for: starter, policy: policy)
        var response = following.following.reply(to: begun, at: publicURL)
        response.set(callers.bindingCookie(begun, isSecure: publicURL.hasPrefix("https://")))
        return response
    }

    /// Returns the audience of the approval tokens for the person's client.
    func audience(for who: SignedIn) throws -> String { try clients.client(named: who.client, surface: nil).audience }
}
