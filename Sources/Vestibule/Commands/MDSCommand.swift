import Admin
import ArgumentParser
import Assembly
import FoundationEssentials
import Kernel
import Passkeys
import Settings

/// `vestibule mds`.
struct MDSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "mds",
        "Load the FIDO Alliance's metadata about authenticators.",
        examples: ["vestibule mds load blob.jwt --root globalsign-r3.pem"],
        subcommands: [Load.self]
    )

    /// `vestibule mds load`.
    struct Load: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "load",
            "Verify a BLOB of the metadata service, and keep it in passkeys.trustFolder.",
            about: """
                The command fetches nothing: download the BLOB (https://mds3.fidoalliance.org/) and the root of its signature \
                yourself. A BLOB older than the one in the folder is refused. A running daemon loads it on SIGHUP.
                """,
            examples: [
                "vestibule mds load blob.jwt --root globalsign-r3.pem",
                "vestibule mds load blob.jwt --root globalsign-r3.pem --json",
            ]
        )

        @Argument(help: "The BLOB, as it is downloaded.") var blob: String
        @Option(help: "The certificate that its signature has to lead to, PEM or DER.") var root: String
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        private struct Report: Encodable {
            let number: Int64
            let models: Int
            let unreadableAnchors: Int
        }

        func run() async throws {
            try await ExitError.guarding {
                let settings = try options.load().settings
                let folder = settings.passkeys.attestation.trustFolder
                // Only the commands with `AdminCommand.makesDataFolder` create a data folder.
                guard !folder.hasPrefix(settings.dataFolder + "/") || !DataFolder.isMissing(settings.dataFolder) else {
                    throw DataFolder.FolderError.missing(path: settings.dataFolder)
                }
                let bytes = try Self.read(blob)
                let rootBytes = try Self.read(root)
                let now = Environment.system.now()
                let latest = try PasskeyTrust.loaded(in: folder)?.number
                let loaded = try await Self.verified(bytes, root: rootBytes, latest: latest, at: now)
                try PasskeyTrust.keep(
                    bytes,
                    root: rootBytes,
                    PasskeyTrust.Loaded(number: loaded.number, at: now.milliseconds),
                    in: folder
                )
                if json {
                    let report = Report(
                        number: loaded.number,
                        models: loaded.count,
                        unreadableAnchors: loaded.unreadableAnchors
                    )
                    return print(try Rendering.json(report))
                }
                print(
                    "Metadata \(loaded.number) with \(loaded.count) models is in \(folder). Send the daemon a SIGHUP."
                )
            }
        }

        private static func verified(
            _ bytes: [UInt8],
            root: [UInt8],
            latest: Int64?,
            at now: Instant
        ) async throws -> MetadataBlob {
            do {
                let roots = try TrustAnchors(files: [.init(name: "--root", bytes: root)])
                return try await MetadataBlob.verified(bytes, roots: roots, latest: latest, now: now)
            } catch let fault as MetadataError {
                throw ExitError.refused("\(fault.explanation) (\(fault.code))")
            } catch let faults as TrustAnchorErrors {
                throw ExitError.refused(faults.faults.map(\.explanation).joined(separator: "\n"))
            }
        }

        private static func read(_ path: String) throws -> [UInt8] {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw ExitError.storage("\(path) cannot be read. Check the path and its permissions.")
            }
            return Array(data)
        }
    }
}
