package import Kernel

/// A notice as it goes out: a `POST` of JSON to the client's endpoint (CIBA Core §10.2, §10.3).
package struct BackchannelNotice: Sendable, Equatable {
    package let endpoint: String
    /// Goes into the header Authorization, as a bearer token.
    package let token: Secret
    package let body: [UInt8]
}

/// Port: the way to a client's endpoint; always comes back in time, and follows no redirect.
package protocol BackchannelSending: Sendable {
    /// A failure is its cause, for the log. An endpoint that wants the notice sent elsewhere refuses it.
    func send(_ notice: BackchannelNotice) async -> DeliveryOutcome<String>
}

/// Port: what a client is pushed (CIBA Core §10.3.1 and §12).
package protocol BackchannelResults: Sendable {
    /// The body of the push: the tokens, or the error; the same tokens each time. `nil` if there is nothing to be said.
    func result(of pending: PendingBackchannel, authReqID: Secret) async throws -> [UInt8]?

    /// The client has them: nothing is handed out again.
    func acknowledge(_ pending: PendingBackchannel) async throws
}
