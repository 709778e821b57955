/// The sources of a config, besides the files that it names.
package struct SettingsSources: Sendable {
    /// The path as the operator wrote it, and as findings name it; `nil` takes the built-in config.
    package var configFile: String?
    /// The absolute folder that a relative `configFile` starts from.
    package var workingFolder: String
    /// The folder of rows, keys and sockets, absolute.
    package var dataFolder: String
    /// `key=value`, a later one over an earlier one.
    package var overrides: [String]
    package var environment: [String: String]

    package init(
        configFile: String? = nil,
        workingFolder: String,
        dataFolder: String,
        overrides: [String] = [],
        environment: [String: String] = [:]
    ) {
        self.configFile = configFile
        self.workingFolder = workingFolder
        self.dataFolder = dataFolder
        self.overrides = overrides
        self.environment = environment
    }
}

/// Settings that hold, and what is worth knowing about them.
package struct LoadedSettings: Sendable {
    package let settings: Settings
    /// The origin of each key that is written.
    package let origins: [String: ConfigOrigin]
    /// The reference that the config has for each secret kept elsewhere.
    package let secretReferences: [String: String]
    /// The warnings, in the order of their origins.
    package let warnings: [SettingsFinding]

    /// The settings once the port is known, for `listen.port: 0`.
    ///
    /// A public URL and an issuer that nobody wrote follow it.
    package func settings(boundTo port: Int) -> Settings {
        var bound = settings
        bound.listen.port = port
        if origins["publicURL"] == nil { bound.publicURL = "" }
        if origins["issuer"] == nil { bound.issuer = "" }
        bound.fillInURLs()
        return bound
    }
}

/// Reads a config: defaults, then files, then the environment, then `--set`.
package struct SettingsLoader: Sendable {
    let files: SettingsFiles

    package init(files: SettingsFiles = .disk) { self.files = files }

    /// - Throws: Every fault of every place at once.
    package func load(_ sources: SettingsSources) throws(SettingsErrors) -> LoadedSettings {
        var faults: [SettingsFinding] = []
        let folder = SettingsFiles.resolve(sources.dataFolder, against: sources.workingFolder)
        let input = ConfigInput(sources: sources, dataFolder: folder, files: files)
        guard var tree = input.main(&faults) else { throw SettingsErrors(findings: faults) }
        let root = tree.origin

        let overrides = Self.overrides(sources, over: tree, &faults)
        // A provider may be sent to another file, and keys of that file be set: so first the one, then the other.
        for override in overrides where override.path.count <= 2 { tree.set(override) }
        input.expandProviders(in: &tree, &faults)
        for override in overrides where override.path.count > 2 { tree.set(override) }

        let mode = tree.written("mode")?.node.scalar.flatMap(Settings.Mode.init(rawValue:)) ?? .laptop
        var reading = SettingsReading(
            ReadingContext(dataFolder: folder, mode: mode, environment: sources.environment, files: files, root: root),
            faults: faults
        )
        var settings = Settings(dataFolder: folder, mode: mode)
        SettingsSchema.root.read(tree, "", &settings, &reading)
        settings.fillInURLs()
        SettingsChecks.run(settings, in: &reading)
        let links = sources.environment.filter { SettingsOverride.isServiceLink($0.key, $0.value) }.keys.sorted()
        if let first = links.first {
            let origin = ConfigOrigin.environment(first, key: "")
            reading.warnings.append(SettingsFinding(origin: origin, key: "", message: ServiceLinks.warning(links)))
        }
        try Self.throwFaults(of: reading, secretVariables: SecretReference.variables(in: tree))
        return LoadedSettings(
            settings: settings,
            origins: reading.origins,
            secretReferences: reading.secretReferences,
            warnings: SettingsFinding.sorted(reading.warnings)
        )
    }

    static func overrides(
        _ sources: SettingsSources,
        over tree: ConfigNode,
        _ faults: inout [SettingsFinding]
    ) -> [SettingsOverride] {
        var overrides = SettingsOverride.published(sources.environment, &faults)
        overrides += SettingsOverride.variables(sources.environment, existing: tree)
        for option in sources.overrides {
            switch SettingsOverride.option(option) {
            case .success(let override): overrides.append(override)
            case .failure(let fault): faults += fault.findings
            }
        }
        return overrides
    }

    /// A variable that a secret comes from may have our prefix: it is then no key, however it looks.
    private static func throwFaults(of reading: SettingsReading, secretVariables: Set<String>) throws(SettingsErrors) {
        let faults = reading.faults.filter { finding in
            switch finding.origin {
            case .environment(let name, _): !secretVariables.contains(name)
            case .builtIn, .file, .option: true
            }
        }
        guard faults.isEmpty else { throw SettingsErrors(findings: SettingsFinding.sorted(faults)) }
    }
}

extension ConfigNode {
    mutating func set(_ override: SettingsOverride) {
        set(override.path[...], to: override.text, origin: override.origin)
    }
}

extension Settings {
    /// The public URL and the issuer where they are empty.
    mutating func fillInURLs() {
        if publicURL.isEmpty { publicURL = "\(tls == nil ? "http" : "https")://localhost:\(listen.port)" }
        if issuer.isEmpty { issuer = publicURL }
    }
}
