/// Why an order about clients is not carried out.
package enum ClientFault: Error, Sendable, Equatable {
    case unknown(id: String)
    case taken(id: String)
    /// Not the form of an id, or one that means something already.
    case badID(id: String)
    /// It is of the config, and changed there.
    case configured(id: String)
    case hasNoSecret(id: String)
    case tooMany
    case badTicket
    /// What is to be registered does not hold together.
    case metadata(OAuthError)
    /// A duration or a number is out of range.
    case badOrder(String)

    /// Stable, for scripts.
    package var code: String {
        switch self {
        case .unknown: "client_not_found"
        case .taken: "client_exists"
        case .badID: "bad_client_id"
        case .configured: "client_configured"
        case .hasNoSecret: "client_without_secret"
        case .tooMany: "too_many_clients"
        case .badTicket: "bad_registration_token"
        case .metadata(let error): error.code.rawValue
        case .badOrder: "bad_order"
        }
    }

    package var message: String {
        switch self {
        case .unknown(let id): "There is no client \(id); `clients list` shows all."
        case .taken(let id): "There is a client \(id) already."
        case .badID(let id):
            "\(id) can't be a client's id: an id has 1 to 64 of a-z, 0-9, - and _, begins with a letter or digit, and is neither "
                + "the id nor the audience of a client of the config."
        case .configured(let id): "The client \(id) is of the config: change it there."
        case .hasNoSecret(let id): "The client \(id) has no secret to rotate."
        case .tooMany: "There are \(ClientService.mostClients) clients already, which is as many as there can be."
        case .badTicket: "The registration token is unknown, used up or expired."
        case .metadata(let error): error.description
        case .badOrder(let text): text
        }
    }
}
