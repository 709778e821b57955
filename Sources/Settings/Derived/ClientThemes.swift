package import OAuth
package import Web

// Themes that the operator gives clients of the database, under the rules of those in the config.
extension Settings {
    /// Returns all that is wrong with the theme of a client of the database, each with its key.
    package func faults(of theme: ClientTheme, from files: SettingsFiles) -> [String] {
        read(theme, from: files).faults
    }

    /// Returns the brand of a client of the database, and what is wrong with the values that it leaves out.
    ///
    /// A logo's file may be gone since the theme was given, or not be on this machine.
    package func brand(
        of client: OAuthClient.Appearance,
        from files: SettingsFiles
    ) -> (brand: Brand, faults: [String]) {
        var (own, faults) = read(client.theme ?? ClientTheme([:]), from: files)
        if own.logo == nil { own.logoDark = nil }
        return (Brand(own.completed(by: theme), name: client.name), faults)
    }

    private func read(_ theme: ClientTheme, from files: SettingsFiles) -> (own: BrandSettings, faults: [String]) {
        var reading = SettingsReading(
            ReadingContext(dataFolder: dataFolder, mode: mode, environment: [:], files: files, root: .builtIn)
        )
        var (own, node) = (BrandSettings(), ConfigNode(content: .map([]), origin: .builtIn))
        for (key, value) in theme.values.sorted(by: { $0.key < $1.key }) {
            if key.hasPrefix("logo"), !Self.isFile(value, in: dataFolder) {
                reading.fault("theme.\(key)", "is not a path relative to the data folder and inside of it")
                continue
            }
            let parts = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            // Only the links are a level lower, which their own name would hide.
            guard parts.count <= 2, key != "links" else {
                reading.fault("theme.\(key.prefix(40))", "unknown key")
                continue
            }
            node.set(parts[...], to: value, origin: .builtIn)
        }
        SettingsSchema.theme.read(node, "theme", &own, &reading)
        SettingsChecks.check(own, at: "theme", in: &reading)
        return (own, SettingsFinding.sorted(reading.faults).map(\.description))
    }

    /// Whether a path leads to a file below the folder, also by links: a command names no other file of the machine.
    private static func isFile(_ path: String, in folder: String) -> Bool {
        // By bytes: to the system a slash with a combining mark is a slash.
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard path.utf8.count <= 200, !parts.contains(where: { $0.isEmpty || $0.elementsEqual("..".utf8) }) else {
            return false
        }
        return SettingsFiles.real(folder + "/" + path).hasPrefix(SettingsFiles.real(folder) + "/")
    }
}
