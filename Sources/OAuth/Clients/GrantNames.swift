extension OAuthClient.GrantType {
    /// The name in the config and on the command line.
    package var shortName: String {
        switch self {
        case .authorizationCode: "authorization_code"
        case .refreshToken: "refresh_token"
        case .ciba: "ciba"
        case .deviceCode: "device_code"
        }
    }

    /// Creates the grant with that short name; `nil` for an unknown one.
    package init?(shortName: String) {
        guard let grant = Self.allCases.first(where: { $0.shortName == shortName }) else { return nil }
        self = grant
    }

    /// The names of all grants, for messages.
    package static var shortNames: String { allCases.map(\.shortName).joined(separator: ", ") }
}
