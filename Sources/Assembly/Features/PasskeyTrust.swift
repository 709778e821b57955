import FoundationEssentials
import Kernel
package import Passkeys

/// The trust anchors of attestations, from the folder that the config names: the makers' certificates, and the
/// metadata that `vestibule mds load` stored there.
package struct PasskeyTrust: Sendable {
    /// The names of files in the folder.
    enum Name {
        static let endings = [".pem", ".crt", ".cer", ".der"]
        static let blob = "metadata.jwt"
        static let root = "metadata-root.pem"
        static let state = "metadata.json"
    }

    /// The number of the loaded metadata and the time of loading, at which it was current.
    package struct Loaded: Codable, Equatable {
        package let number: Int64
        /// Milliseconds since 1970.
        package let at: Int64

        package init(number: Int64, at: Int64) {
            self.number = number
            self.at = at
        }
    }

    private let folder: String
    private let grace: Duration
    let current: CurrentTrust

    /// `grace`: the time for which metadata is used after the date of its next update.
    ///
    /// - Throws: ``UnusableFilesError`` for a certificate that can't be read.
    init(folder: String, grace: Duration) throws {
        self.folder = folder
        self.grace = grace
        current = CurrentTrust(AttestationTrust(anchors: try Self.anchors(in: folder), grace: grace))
    }

    /// Reads the folder and the metadata again.
    ///
    /// If that fails, the current anchors stay in use.
    ///
    /// - Throws: ``UnusableFilesError``.
    package func load() async throws {
        let anchors = try Self.anchors(in: folder)
        let metadata = try await Self.metadata(in: folder)
        current.replace(with: AttestationTrust(anchors: anchors, metadata: metadata, grace: grace))
    }

    /// Returns the trust anchors: certificates in the folder for every format, those in a subfolder for the format it
    /// names.
    package static func anchors(in folder: String) throws -> TrustAnchors {
        var files = try Self.files(in: folder, nil)
        for format in AttestationFormats.all.map(\.identifier) { files += try Self.files(in: folder, format) }
        do { return try TrustAnchors(files: files) } catch {
            let sentences = error.faults.map(\.explanation).joined(separator: "\n")
            throw UnusableFilesError(message: "passkeys.trustFolder \(folder) can't be used:\n\(sentences)")
        }
    }

    private static func files(in folder: String, _ format: String?) throws -> [TrustAnchors.File] {
        let prefix = format.map { $0 + "/" } ?? ""
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + prefix)) ?? []
        var files: [TrustAnchors.File] = []
        for name in names.sorted() where name != Name.root && Name.endings.contains(where: name.hasSuffix) {
            let file = prefix + name
            files.append(TrustAnchors.File(name: file, bytes: try bytes(of: file, in: folder) ?? [], format: format))
        }
        return files
    }

    private static func metadata(in folder: String) async throws -> MetadataBlob? {
        guard let blob = try bytes(of: Name.blob, in: folder), let state = try loaded(in: folder) else { return nil }
        let root = TrustAnchors.File(name: Name.root, bytes: try bytes(of: Name.root, in: folder) ?? [])
        do {
            return try await MetadataBlob.verified(
                blob,
                roots: try TrustAnchors(files: [root]),
                now: Instant(milliseconds: state.at)
            )
        } catch let fault as MetadataError {
            throw UnusableFilesError(
                message:
                    "\(folder)/\(Name.blob) can't be used: \(fault.explanation) Load it again: vestibule mds load"
            )
        } catch let faults as TrustAnchorErrors {
            throw UnusableFilesError(message: faults.faults.map(\.explanation).joined(separator: "\n"))
        }
    }

    /// Returns the state of the metadata that was loaded last, or `nil` if none was.
    package static func loaded(in folder: String) throws -> Loaded? {
        guard let state = try bytes(of: Name.state, in: folder) else { return nil }
        do { return try JSONDecoder().decode(Loaded.self, from: Data(state)) } catch {
            throw UnusableFilesError(
                message:
                    "\(folder)/\(Name.state) can't be read. Load the metadata again: vestibule mds load"
            )
        }
    }

    /// Stores verified metadata in the folder, each file in one step, and the state last.
    package static func keep(_ blob: [UInt8], root: [UInt8], _ state: Loaded, in folder: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            let files = [
                (Name.root, Data(root)), (Name.blob, Data(blob)), (Name.state, try JSONEncoder().encode(state)),
            ]
            for (name, data) in files {
                try data.write(to: URL(filePath: "\(folder)/\(name)"), options: .atomic)
            }
        } catch {
            throw UnusableFilesError(message: "\(folder) can't be written: \(error)")
        }
    }

    private static func bytes(of name: String, in folder: String) throws -> [UInt8]? {
        let file = "\(folder)/\(name)"
        guard FileManager.default.fileExists(atPath: file) else { return nil }
        guard let data = FileManager.default.contents(atPath: file) else {
            throw UnusableFilesError(message: "\(file) can't be read. Look at its permissions.")
        }
        return Array(data)
    }
}
