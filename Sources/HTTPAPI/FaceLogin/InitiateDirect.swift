import Hummingbird
import Kernel
import Operations
import Wire

extension FaceLoginAPI {
    /// The answer of a client without a landing page: the provider's own address, with the scan begun.
    ///
    /// `nil` for a decoy, and whenever the provider can't begin just now: then the ordinary link says so to the person.
    func directReply(_ begun: BegunOperation, _ policy: ClientPolicy) async -> Response? {
        let outcome = try? await service.open(
            ticket: begun.ticket.expose(),
            browserCookie: nil,
            returnTo: "\(settings.publicURL)/go/\(begun.ticket.expose())/return"
        )
        guard case .toProvider(let page, _) = outcome,
            let operation = service.cache.card(begun.operation.publicID)?.operation
        else { return nil }
        var response = JSONReply.encode(
            InitiateLoginResponse(
                operationId: begun.publicID.description,
                url: page.expose(),
                operationExpiresIn: Int(policy.lifetime.secondsRoundedUp),
                interval: settings.pollInterval,
                seq: operation.seq
            )
        )
        response.set(callers.bindingCookie(begun, policy: policy, isSecure: isSecure))
        return response
    }
}
