package import Kernel

/// A valid backchannel authentication request of its client (CIBA Core §7.1).
package struct BackchannelRequest: Sendable, Equatable {
    package let access: RequestedAccess
    package let hint: Hint
    package let bindingMessage: BindingMessage?
    /// The first of `acr_values` that this server knows; voluntary.
    package let contextClass: ContextClassReference?
    /// The token that authenticates pings and pushes to the client; `nil` for polls.
    package let notificationToken: Secret?
    package let lifetime: Duration

    /// The person whom the client means.
    package enum Hint: Sendable, Equatable {
        /// An address as written; it is not looked up before the request is stored.
        case email(String)
        /// The account of a token that this server signed, or that names the account.
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

    /// The parameters that authenticate the client, or hold the signed request, and are always in the form.
    static let ofTheClient: Set<String> = [
        "client_id", "client_secret", "client_assertion", "client_assertion_type", "request",
    ]
}
