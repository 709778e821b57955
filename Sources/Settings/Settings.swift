package import HTTPAPI
package import Storage
package import Wallet
package import Web

/// The settings of the daemon and of every command: read, checked and complete.
///
/// A property's initial value is the key's default in that mode. ``SettingsSchema`` has each key's name, form and
/// meaning. Every path is absolute.
package struct Settings: Sendable, Equatable {
    package var mode: Mode
    /// The folder against which relative paths are resolved (`--data`).
    package let dataFolder: String
    package var listen: ListenSettings
    /// The URL at which browsers and apps reach this server, without a trailing slash.
    package var publicURL = ""
    /// The `iss` of every token (RFC 7519 §4.1.1), which readers compare byte for byte.
    package var issuer = ""
    /// `nil`: plain HTTP is served.
    package var tls: TLSSettings?
    package var log = LogSettings()
    /// The database: a file, or a server.
    package var storage: StorageOptions
    /// The clients, in the order of the config.
    package var clients: [ClientSettings] = []
    /// The surfaces by name, without those that the config leaves out: they are off.
    package var surfaces: [String: SurfaceSettings] = [:]
    package var oauth = OAuthSettings()
    package var accounts = AccountSettings()
    package var passkeys: PasskeySettings
    package var faceLogin = FaceLoginSettings()
    /// The providers, by the names that the operator chose.
    package var providers: [String: ProviderSettings] = [:]
    /// The upstreams, by the names that the operator chose.
    package var upstreams: [String: UpstreamSettings] = [:]
    package var sampleData = SampleDataSettings()
    /// The banks, by the names that the operator chose.
    package var banks: [String: Bank] = [:]
    package var wallet = WalletSettings()
    package var limits = LimitSettings()
    package var mail: MailSettings
    package var secrets: KeySettings
    package var retention = RetentionSettings()
    package var audit: AuditSettings
    package var metrics = MetricsSettings()
    /// `nil`: there is no security.txt.
    package var securityText: SecurityText?
    /// The owner's brand.
    package var theme = BrandSettings()
    /// The operator's texts; `nil` keeps the built-in ones.
    package var texts: TextsFolder?

    /// - Parameters:
    ///   - dataFolder: An absolute path without a trailing slash.
    ///   - mode: The mode whose defaults are used.
    package init(dataFolder: String, mode: Mode = .laptop) {
        self.mode = mode
        self.dataFolder = dataFolder
        listen = ListenSettings(dataFolder: dataFolder, mode: mode)
        storage = StorageOptions(sqlite: SQLiteDatabase.Options(path: dataFolder + "/vestibule.sqlite"))
        secrets = KeySettings(dataFolder: dataFolder)
        mail = MailSettings(dataFolder: dataFolder)
        audit = AuditSettings(dataFolder: dataFolder)
        passkeys = PasskeySettings(dataFolder: dataFolder)
    }

    /// The Unix socket of the administration commands.
    package var adminSocket: String { listen.admin.socket }

    /// The client of a request if neither the request nor its surface names one.
    package var defaultClient: ClientSettings? { clients.first(where: \.isDefault) }

    /// How strictly the config is checked.
    package enum Mode: String, Sendable, CaseIterable {
        /// One person's machine: old forms of client requests work, and keys may be written in the file.
        case laptop
        /// Refuses at start every setting that would be unsafe for a public server.
        case production
    }
}
