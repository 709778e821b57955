package import Web

// What people see of the owner: brands and texts.
extension Settings {
    /// The owner's name on pages and in mails.
    package var ownerName: String { theme.name ?? relyingParty.name }

    /// The names of clients for people, by client id.
    ///
    /// The client of the owner's own pages has the owner's name, unless it has a name of its own.
    package var clientNames: [String: String] {
        let own = surfaces["passkeys"]?.client
        let names = clients.map { ($0.id, $0.id == own && $0.name == $0.id ? ownerName : $0.name) }
        return Dictionary(names, uniquingKeysWith: { first, _ in first })
    }

    /// The address of the account centre; `nil` where it is not served.
    package var accountPage: String? {
        let hasSite = servesPasskeys && surfaces["passkeys"]?.enabled == true
        let isServed = surfaces.values.contains(where: \.enabled) && (oauth.enabled || hasSite)
        return isServed ? publicURL + "/account" : nil
    }

    /// The languages of pages and mails, under the brands of the owner and of clients.
    package var languages: Languages { languages(adding: [:]) }

    /// Returns them with the brands of clients of the database, which have one only by the operator's word.
    package func languages(adding stored: [String: Brand]) -> Languages {
        Languages(adding: texts?.files ?? [], brands: brands(adding: stored))
    }

    private func brands(adding stored: [String: Brand]) -> Brands {
        let names = clientNames
        let own = clients.compactMap { client in
            client.theme.map { (client.id, Brand($0.completed(by: theme), name: names[client.id] ?? client.name)) }
        }
        return Brands(
            owner: Brand(theme, name: ownerName),
            clients: Dictionary(own + stored.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        )
    }

    /// Returns the settings with the logos and texts that the same files have now.
    ///
    /// - Throws: Every fault of the files.
    package func readingPresentation(from files: SettingsFiles) throws(SettingsErrors) -> Settings {
        var reading = SettingsReading(
            ReadingContext(dataFolder: dataFolder, mode: mode, environment: [:], files: files, root: .builtIn)
        )
        var fresh = self
        fresh.theme.logo = Self.read(theme.logo, at: "theme.logo", in: &reading)
        fresh.theme.logoDark = Self.read(theme.logoDark, at: "theme.logoDark", in: &reading)
        for index in fresh.clients.indices {
            let (theme, key) = (clients[index].theme, "clients.\(clients[index].id).theme.logo")
            fresh.clients[index].theme?.logo = Self.read(theme?.logo, at: key, in: &reading)
            fresh.clients[index].theme?.logoDark = Self.read(theme?.logoDark, at: key + "Dark", in: &reading)
        }
        fresh.texts = texts.flatMap { folder in
            let node = ConfigNode(content: .scalar(folder.path), origin: .builtIn)
            return SettingRule<TextsFolder>.texts.value(of: node, at: "texts", in: &reading)
        }
        guard reading.faults.isEmpty else {
            throw SettingsErrors(findings: SettingsFinding.sorted(reading.faults))
        }
        return fresh
    }

    private static func read(_ logo: BrandLogo?, at key: String, in reading: inout SettingsReading) -> BrandLogo? {
        logo.flatMap { logo in
            let node = ConfigNode(content: .scalar(logo.path), origin: .builtIn)
            return SettingRule<BrandLogo>.logo.value(of: node, at: key, in: &reading)
        }
    }
}
