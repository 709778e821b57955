/// What the daemon and every command run with: read, checked and complete.
///
/// A property's initial value is the key's default in that mode; what a key is called, takes and means stands in
/// ``SettingsSchema``. Every path is absolute.
struct Settings: Sendable, Equatable {
    var mode: Mode
    /// The folder that relative paths start from (`--data`).
    let dataFolder: String
    var listen: ListenSettings
    /// How browsers and apps reach this server, without a trailing slash.
    var publicURL = ""
    /// The `iss` of every token (RFC 7519 §4.1.1), compared by its readers byte for byte.
    var issuer = ""
    /// `nil` serves plain HTTP.
    var tls: TLSSettings?
    var log = LogSettings()
    var storage: StorageSettings
    /// In the order of the config.
    var clients: [ClientSettings] = []
    /// By the surface's name; one that the config leaves out is absent here, and off.
    var surfaces: [String: SurfaceSettings] = [:]
    var oauth = OAuthSettings()
    var accounts = AccountSettings()
    var passkeys: PasskeySettings
    var faceLogin = FaceLoginSettings()
    /// By the operator's name for it.
    var providers: [String: ProviderSettings] = [:]
    /// By the operator's name for it.
    var upstreams: [String: UpstreamSettings] = [:]
    var sampleData = SampleDataSettings()
    /// By the operator's name for it.
    var banks: [String: BankSettings] = [:]
    var wallet = WalletSettings()
    var limits = LimitSettings()
    var mail: MailSettings
    var secrets: KeySettings
    var retention = RetentionSettings()
    var audit: AuditSettings
    var metrics = MetricsSettings()

    /// - Parameters:
    ///   - dataFolder: An absolute path without a trailing slash.
    ///   - mode: Whose defaults these are.
    init(dataFolder: String, mode: Mode = .laptop) {
        self.mode = mode
        self.dataFolder = dataFolder
        listen = ListenSettings(dataFolder: dataFolder, mode: mode)
        storage = StorageSettings(dataFolder: dataFolder)
        secrets = KeySettings(dataFolder: dataFolder)
        mail = MailSettings(dataFolder: dataFolder)
        audit = AuditSettings(dataFolder: dataFolder)
        passkeys = PasskeySettings(dataFolder: dataFolder)
    }

    /// The Unix socket of the administration commands.
    var adminSocket: String { listen.adminSocket }

    /// The client of a request that names none and whose surface names none.
    var defaultClient: ClientSettings? { clients.first(where: \.isDefault) }

    /// How much the config is trusted to be careless.
    enum Mode: String, Sendable, CaseIterable {
        /// One person's machine: old client shapes work, keys may stand in the file.
        case laptop
        /// Refuses at start whatever would be unsafe in front of real people.
        case production
    }
}
