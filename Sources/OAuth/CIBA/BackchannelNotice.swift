package import Kernel

/// A notice to a client that its request was decided: a `POST` of JSON to its endpoint (CIBA Core §10.2, §10.3).
package struct BackchannelNotice: Sendable, Equatable {
    package let endpoint: String
    /// The bearer token for the header Authorization.
    package let token: Secret
    package let body: [UInt8]
}

/// Port: sends notices to clients' endpoints, with a timeout and without following redirects.
package protocol BackchannelSending: Sendable {
    /// Sends a notice. The outcome of a failure contains its cause, for the log. A redirect counts as a refusal.
    func send(_ notice: BackchannelNotice) async -> DeliveryOutcome<String>
}

/// Port: produces the results that are pushed to clients (CIBA Core §10.3.1 and §12).
package protocol BackchannelResults: Sendable {
    /// Returns the body of the push: an error, or the tokens, which are the same each time; `nil` if there is no
    /// result.
    func result(of pending: PendingBackchannel, authReqID: Secret) async throws -> [UInt8]?

    /// Records that the client has received the tokens, so that they are not issued again.
    func acknowledge(_ pending: PendingBackchannel) async throws
}
