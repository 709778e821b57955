package import Kernel

/// A backchannel authentication request that was found good for its client (CIBA Core §7.1).
package struct BackchannelRequest: Sendable, Equatable {
    package let clientID: String
    package let scopes: ScopeSet
    /// RFC 8707.
    package let resources: [String]
    package let hint: Hint
    package let bindingMessage: BindingMessage?
    /// The first of `acr_values` that this server knows; voluntary.
    package let contextClass: ContextClassReference?
    /// What pings and pushes are shown to come from us with; `nil` for polls.
    package let notificationToken: Secret?
    package let lifetime: Duration

    /// Whom the client means.
    package enum Hint: Sendable, Equatable {
        /// As it was written; whether somebody has that address is not looked at before the request is kept.
        case email(String)
        /// Of a token that this server signed, or that names one of its accounts.
        case account(AccountID)
    }
}

/// The parameters of a backchannel authentication request, of its form or of the claims of its signed request object.
package struct BackchannelParameters: Sendable, Equatable {
    package var values: [String: String]
    /// `resource`, which alone may come more than once.
    package var resources: [String]

    package init(_ values: [String: String], resources: [String] = []) {
        self.values = values
        self.resources = resources
    }

    subscript(_ name: String) -> String? { values[name] }

    /// Parameters that show who the client is, and stand in the form whatever else does.
    static let ofTheClient: Set<String> = [
        "client_id", "client_secret", "client_assertion", "client_assertion_type", "request",
    ]
}
