/// The error of a request about clients.
///
/// It has one message for the operator and one for a client that registers itself.
package struct ClientError: Error, Sendable, Equatable {
    /// The stable code, for scripts.
    package let code: String
    package let message: String
    /// The error for a client that registers itself (RFC 7591 §3.2.2).
    package let answer: OAuthError

    private init(_ code: String, _ message: String, answer: OAuthError? = nil) {
        self.code = code
        self.message = message
        self.answer =
            answer ?? OAuthError(.invalidClientMetadata, "The registration failed. Try again, or ask the operator.")
    }

    package static func unknown(id: String) -> ClientError {
        ClientError("client_not_found", "The client \(id) is unknown. `clients list` shows all clients.")
    }

    static func taken(id: String) -> ClientError {
        ClientError("client_exists", "There is already a client \(id). Choose another id.")
    }

    /// The id is malformed, or reserved.
    static func badID(id: String) -> ClientError {
        ClientError(
            "bad_client_id",
            "\(id) can't be a client's id: an id has 1 to 64 of a-z, 0-9, - and _, begins with a letter or digit, and is neither "
                + "the id nor the audience of a client of the config."
        )
    }

    /// `file`: the config's file; `nil` for the built-in config.
    static func configured(id: String, in file: String?) -> ClientError {
        guard let file else {
            return ClientError(
                "client_configured",
                "The client \(id) is in the built-in config: change it in a config file of your own."
            )
        }
        return ClientError("client_configured", "The client \(id) is in the config: change it in \(file).")
    }

    static func hasNoSecret(id: String) -> ClientError {
        ClientError("client_without_secret", "The client \(id) has no secret to rotate.")
    }

    static let tooMany = ClientError(
        "too_many_clients",
        "There are \(ClientService.mostClients) clients already, which is the limit. Delete one first.",
        answer: OAuthError(.temporarilyUnavailable, "This server has as many clients as it can have. Ask its operator.")
    )
    static let badTicket = ClientError(
        "bad_registration_token",
        "The registration token is unknown, used up or expired. Ask the operator for a new one.",
        answer: OAuthError(
            .invalidToken,
            "The registration token is unknown, used up or expired. Ask the operator for a new one."
        )
    )

    /// The metadata is inconsistent.
    static func metadata(_ error: OAuthError) -> ClientError {
        ClientError(error.code.rawValue, error.description, answer: error)
    }

    /// The metadata has several faults, which are all told at once.
    static func metadata(_ errors: [OAuthError]) -> ClientError {
        guard let first = errors.first, errors.count > 1 else {
            return metadata(errors.first ?? OAuthError(.invalidClientMetadata, "The metadata can't be used."))
        }
        return ClientError(
            first.code.rawValue,
            errors.map(\.description).joined(separator: "\n"),
            answer: first
        )
    }

    static let nothingToChange = ClientError(
        "nothing_to_change",
        "Nothing is to be changed. Give at least one option, which `clients set --help` lists."
    )

    /// A duration or a number is out of range.
    package static func badArgument(_ text: String) -> ClientError { ClientError("bad_order", text) }
}
