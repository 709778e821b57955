package import Kernel

/// A valid backchannel authentication request of its client (CIBA Core §7.1).
package struct BackchannelRequest: Sendable, Equatable {
    package let access: RequestedAccess
    package let hint: Hint
    package let bindingMessage: BindingMessage?
    /// The first of `acr_values` that this server knows.
    ///
    /// It is voluntary.
    package let contextClass: ContextClassReference?
    /// The token that authenticates pings and pushes to the client; `nil` for a client that polls.
    package let notificationToken: Secret?
    package let lifetime: Duration
    /// The mark of a signed request; `nil` for one that is not signed.
    var mark: UsedMark?

    /// The person who is asked to approve the request.
    package enum Hint: Sendable, Equatable {
        /// An e-mail address as written. It is not looked up before the request is stored.
        case email(String)
        /// The account that a token names. This server or the client has signed that token.
        case account(AccountID)
    }
}

/// The parameters of a backchannel authentication request, from its form or its signed request object.
package struct BackchannelParameters: Sendable, Equatable {
    package var values: [String: String]
    /// The values of `resource`, the only parameter that may be repeated.
    package var resources: [String]

    package init(_ values: [String: String], resources: [String] = []) {
        self.values = values
        self.resources = resources
    }

    subscript(_ name: String) -> String? { values[name] }

    /// The parameters that stay in the form beside a signed request: the client's credentials and the request itself.
    static let ofTheClient: Set<String> = [
        "client_id", "client_secret", "client_assertion", "client_assertion_type", "request",
    ]
}
