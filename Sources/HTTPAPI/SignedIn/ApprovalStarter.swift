import Hummingbird
import Kernel
package import Operations

/// Puts something before whoever is signed in, to be approved with their face, and answers as every start is answered.
///
/// What is approved is followed and collected at the routes of ``ApprovalAPI``, whoever has asked for it.
package struct ApprovalStarter: Sendable {
    private let service: OperationService
    private let clients: ClientDirectory
    private let callers: CallerReader
    private let publicURL: String
    private let following: SessionFollowing

    /// `publicURL`: without a trailing slash.
    package init(
        service: OperationService,
        clients: ClientDirectory,
        callers: CallerReader,
        publicURL: String,
        following: Following
    ) {
        self.service = service
        self.clients = clients
        self.callers = callers
        self.publicURL = publicURL
        self.following = SessionFollowing(kind: .approve, following: following)
    }

    /// Begins the approval in the session that asks; nobody but its own account is asked.
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
        let begun = try await service.beginApproval(approval, starter, policy: policy)
        var response = following.following.reply(to: begun, at: publicURL)
        response.set(callers.bindingCookie(begun, isSecure: publicURL.hasPrefix("https://")))
        return response
    }
}
