// The request bodies. The coding keys have the names on the wire.

/// Starts a scan: liveness is checked, and the page is reached only by its link (transport 0).
struct AuthIDBegin: Encodable, Sendable {
    let account: String
    let seconds: Int64

    func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: Key.self)
        try body.encode(account, forKey: .account)
        try body.encode("Verify_Identity", forKey: .name)
        try body.encode(seconds, forKey: .timeout)
        var policy = body.nestedContainer(keyedBy: PolicyKey.self, forKey: .policy)
        try policy.encode(0, forKey: .transport)
        try policy.encode(1, forKey: .credential)
        var scan = policy.nestedContainer(keyedBy: ScanKey.self, forKey: .scan)
        try scan.encode(true, forKey: .liveness)
    }

    private enum Key: String, CodingKey {
        case account = "AccountNumber"
        case name = "Name"
        case timeout = "Timeout"
        case policy = "ConfirmationPolicy"
    }

    private enum PolicyKey: String, CodingKey {
        case transport = "TransportType"
        case credential = "CredentialType"
        case scan = "BioPolicy"
    }

    private enum ScanKey: String, CodingKey { case liveness = "CheckLiveness" }
}

/// An account to create.
struct AuthIDNewAccount: Encodable, Sendable {
    let number: String
    let displayName: String
    let email: String?
    private let isEnabled = true
    private let isCustom = true
    private let rules = 1
    private let version = 0

    private enum CodingKeys: String, CodingKey {
        case number = "AccountNumber"
        case displayName = "DisplayName"
        case email = "Email"
        case isEnabled = "Enabled"
        case isCustom = "Custom"
        case rules = "Rules"
        case version = "Version"
    }
}
