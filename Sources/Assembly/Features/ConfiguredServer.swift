import Logging
import OAuth
import Settings
import Synchronization
import Web

/// The settings, and the languages and brands that are shown, which SIGHUP and changes of clients replace.
final class ConfiguredServer: Sendable {
    let settings: Settings
    let localization: Localization
    private let logger: Logger
    private let shown: Mutex<Shown>

    /// The state from which the languages are made.
    private struct Shown {
        /// The settings with the logos and texts that were read last.
        var settings: Settings
        /// The clients of the database that have a theme, by their ids.
        var clients: [String: ThemedClient] = [:]
    }

    private struct ThemedClient {
        let appearance: OAuthClient.Appearance
        let brand: Brand
    }

    init(_ settings: Settings, logger: Logger) {
        self.settings = settings
        self.logger = logger
        localization = Localization(settings.languages)
        shown = Mutex(Shown(settings: settings))
    }

    /// Returns the name that mails give to a client: the config's, or that of the theme that the operator gave to it.
    ///
    /// For any other client, also one that was deleted, it is the owner's name.
    @Sendable func serviceName(_ client: String) -> String {
        settings.clientNames[client] ?? localization.current.brands.brand(of: client).name
    }

    /// Reads the operator's texts and logos again.
    ///
    /// - Throws: ``SettingsErrors``, and the daemon keeps showing what it showed.
    func reload() throws(SettingsErrors) {
        let fresh = try settings.readingPresentation(from: .disk)
        shown.withLock { shown in
            let themed = shown.clients.mapValues(\.appearance)
            shown = Shown(settings: fresh)
            show(themed, in: &shown)
        }
    }

    /// Shows the themes that clients of the database have now.
    ///
    /// `clients`: returns them by their ids, and is called in turn, so that an earlier state never replaces a later one.
    func show(themesOf clients: () -> [String: OAuthClient.Appearance]) {
        shown.withLock { shown in
            let themed = clients()
            guard themed != shown.clients.mapValues(\.appearance) else { return }
            show(themed, in: &shown)
        }
    }

    /// Makes the brands that have changed.
    private func show(_ themed: [String: OAuthClient.Appearance], in shown: inout Shown) {
        var clients: [String: ThemedClient] = [:]
        for (id, appearance) in themed {
            if let same = shown.clients[id], same.appearance == appearance {
                clients[id] = same
                continue
            }
            let (brand, faults) = shown.settings.brand(of: appearance, from: .disk)
            clients[id] = ThemedClient(appearance: appearance, brand: brand)
            for fault in faults {
                logger.warning(
                    "a part of a client's theme is left out: give the theme again with `vestibule clients set`",
                    metadata: ["client": "\(id)", "cause": "\(fault)"]
                )
            }
        }
        shown.clients = clients
        localization.replace(with: shown.settings.languages(adding: clients.mapValues(\.brand)))
    }
}
