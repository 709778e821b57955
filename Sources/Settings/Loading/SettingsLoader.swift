package import Kernel

/// The sources of a config, except the files that it names.
package struct SettingsSources: Sendable {
    /// The path as the operator wrote it, which findings quote; `nil`: the built-in config.
    package var configFile: String?
    /// The absolute folder against which a relative `configFile` is resolved.
    package var workingFolder: String
    /// The absolute path of the folder of database, keys and sockets.
    package var dataFolder: String
    /// `key=value`, where a later one overrides an earlier one.
    package var overrides: [String]
    package var environment: [String: String]
    /// The time of reading, against which written times are checked; `nil`: they are not.
    package var now: Instant?

    package init(
        configFile: String? = nil,
        workingFolder: String,
        dataFolder: String,
        overrides: [String] = [],
        environment: [String: String] = [:],
        now: Instant? = nil
    ) {
        self.configFile = configFile
        self.workingFolder = workingFolder
        self.dataFolder = dataFolder
        self.overrides = overrides
        self.environment = environment
        self.now = now
    }
}

/// Valid settings, with their origins and warnings.
package struct LoadedSettings: Sendable {
    package let settings: Settings
    /// The config's file as the operator names it; `nil`: the built-in config.
    package let file: String?
    /// The origin of each key that is written.
    package let origins: [String: ConfigOrigin]
    /// The reference that the config has for each secret kept elsewhere.
    package let secretReferences: [String: String]
    /// The warnings, in the order of their origins.
    package let warnings: [SettingsFinding]

    /// Returns the settings with the actual port, for `listen.port: 0`.
    ///
    /// A public URL and an issuer that are not written are derived from it.
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

    /// - Throws: All faults of all sources at once.
    package func load(_ sources: SettingsSources) throws(SettingsErrors) -> LoadedSettings {
        var faults: [SettingsFinding] = []
        let folder = SettingsFiles.resolve(sources.dataFolder, against: sources.workingFolder)
        let input = ConfigInput(sources: sources, dataFolder: folder, files: files)
        guard var tree = input.main(&faults) else { throw SettingsErrors(findings: faults) }
        let root = tree.origin

        let overrides = Self.overrides(sources, over: tree, &faults)
        // An override may name another file for a provider, and another may set a key of that file. So the former go
        // first.
        for override in overrides where override.path.count <= 2 { tree.set(override) }
        input.expandProviders(in: &tree, &faults)
        for override in overrides where override.path.count > 2 { tree.set(override) }

        let mode = tree.written("mode")?.node.scalar.flatMap(Settings.Mode.init(rawValue:)) ?? .laptop
        var reading = SettingsReading(
            ReadingContext(
                dataFolder: folder,
                mode: mode,
                environment: sources.environment,
                files: files,
                root: root,
                now: sources.now
            ),
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
            file: sources.configFile,
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

    /// A variable of a secret may have the prefix `VESTIBULE_`, and is then no key, whatever its name looks like.
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
    /// Sets the public URL and the issuer if they are empty.
    mutating func fillInURLs() {
        if publicURL.isEmpty { publicURL = "\(tls == nil ? "http" : "https")://localhost:\(listen.port)" }
        if issuer.isEmpty { issuer = publicURL }
    }
}
