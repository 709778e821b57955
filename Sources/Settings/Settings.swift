package import Storage
package import Wallet

/// The settings that the daemon and every command run with: read, checked and complete.
///
/// A property's initial value is the key's default in that mode; what a key is called, takes and means stands in
/// ``SettingsSchema``. Every path is absolute.
package struct Settings: Sendable, Equatable {
    package var mode: Mode
    /// The folder that relative paths start from (`--data`).
    package let dataFolder: String
    package var listen: ListenSettings
    /// How browsers and apps reach this server, without a trailing slash.
    package var publicURL = ""
    /// The `iss` of every token (RFC 7519 §4.1.1), compared by its readers byte for byte.
    package var issuer = ""
    /// `nil` serves plain HTTP.
    package var tls: TLSSettings?
    package var log = LogSettings()
    /// The database that keeps rows, and its durability.
    package var storage: SQLiteDatabase.Options
    /// The clients, in the order of the config.
    package var clients: [ClientSettings] = []
    /// The surfaces by name; one that the config leaves out is absent here, and off.
    package var surfaces: [String: SurfaceSettings] = [:]
    package var oauth = OAuthSettings()
    package var accounts = AccountSettings()
    package var passkeys: PasskeySettings
    package var faceLogin = FaceLoginSettings()
    /// The providers by the operator's names.
    package var providers: [String: ProviderSettings] = [:]
    /// The upstreams by the operator's names.
    package var upstreams: [String: UpstreamSettings] = [:]
    package var sampleData = SampleDataSettings()
    /// The banks by the operator's names.
    package var banks: [String: Bank] = [:]
    package var wallet = WalletSettings()
    package var limits = LimitSettings()
    package var mail: MailSettings
    package var secrets: KeySettings
    package var retention = RetentionSettings()
    package var audit: AuditSettings
    package var metrics = MetricsSettings()

    /// - Parameters:
    ///   - dataFolder: An absolute path without a trailing slash.
    ///   - mode: Whose defaults these are.
    package init(dataFolder: String, mode: Mode = .laptop) {
        self.mode = mode
        self.dataFolder = dataFolder
        listen = ListenSettings(dataFolder: dataFolder, mode: mode)
        storage = SQLiteDatabase.Options(path: dataFolder + "/vestibule.sqlite")
        secrets = KeySettings(dataFolder: dataFolder)
        mail = MailSettings(dataFolder: dataFolder)
        audit = AuditSettings(dataFolder: dataFolder)
        passkeys = PasskeySettings(dataFolder: dataFolder)
    }

    /// The Unix socket of the administration commands.
    package var adminSocket: String { listen.adminSocket }

    /// The client of a request that names none and whose surface names none.
    package var defaultClient: ClientSettings? { clients.first(where: \.isDefault) }

    /// How much the config is trusted to be careless.
    package enum Mode: String, Sendable, CaseIterable {
        /// One person's machine: old client shapes work, keys may stand in the file.
        case laptop
        /// Refuses at start whatever would be unsafe in front of real people.
        case production
    }
}
