/// The locations through which commands reach a running daemon.
package struct AdminAddress: Sendable, Equatable {
    package let dataFolder: String
    /// The daemon's Unix socket.
    package let socket: String

    package init(dataFolder: String, socket: String) {
        self.dataFolder = dataFolder
        self.socket = socket
    }
}

extension SettingsLoader {
    /// Reads only `listen.adminSocket` of a config.
    ///
    /// The daemon has read the rest. A command needs neither the daemon's secrets nor its providers' files, and a
    /// later fault in another key does not lock the operator out.
    package func adminAddress(_ sources: SettingsSources) throws(SettingsErrors) -> AdminAddress {
        var faults: [SettingsFinding] = []
        let folder = SettingsFiles.resolve(sources.dataFolder, against: sources.workingFolder)
        let input = ConfigInput(sources: sources, dataFolder: folder, files: files)
        guard var tree = input.main(&faults) else { throw SettingsErrors(findings: faults) }
        faults = []
        let root = tree.origin
        for override in Self.overrides(sources, over: tree, &faults) where override.path == ["listen", "adminSocket"] {
            tree.set(override)
        }
        var reading = SettingsReading(
            ReadingContext(
                dataFolder: folder,
                mode: .laptop,
                environment: sources.environment,
                files: files,
                root: root
            ),
            faults: faults
        )
        var listen = ListenSettings(dataFolder: folder)
        if let socket = tree.written("listen")?.node.written("adminSocket") {
            let value = SettingRule<String>.path.value(of: socket.node, at: "listen.adminSocket", in: &reading)
            listen.admin.socket = value ?? listen.admin.socket
        }
        guard reading.faults.isEmpty else { throw SettingsErrors(findings: SettingsFinding.sorted(reading.faults)) }
        return AdminAddress(dataFolder: folder, socket: listen.admin.socket)
    }
}
