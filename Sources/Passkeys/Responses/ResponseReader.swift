internal import Kernel

/// Reads the members of a response in the JSON form of WebAuthn L3 §5.1 (`credential.toJSON()`).
struct ResponseReader {
    /// The most characters of a base64url text: enough for an attestation object of ``CBORReader/maximumLength`` bytes.
    private static let maximumText = CBORReader.maximumLength / 3 * 4 + 4

    private let members: [String: JSONValue]
    private let kind: CeremonyKind
    private let path: String

    init(_ value: JSONValue?, _ kind: CeremonyKind, path: String = "") throws(CeremonyError) {
        guard case .object(let members) = value else {
            // An empty response means that the browser created no credential (step 2).
            throw path.isEmpty
                ? CeremonyError(.response(member: "credential"), kind.step(2, 2))
                : CeremonyError(.response(member: path), kind.step(3, 3))
        }
        self.members = members
        self.kind = kind
        self.path = path
    }

    /// Returns a reader of the object under that name.
    func object(_ name: String) throws(CeremonyError) -> ResponseReader {
        try ResponseReader(members[name], kind, path: full(name))
    }

    func text(_ name: String) throws(CeremonyError) -> String {
        guard case .string(let text) = members[name] else { throw fault(name) }
        return text
    }

    /// Reads bytes from base64url.
    func bytes(_ name: String) throws(CeremonyError) -> [UInt8] {
        let text = try text(name)
        guard text.utf8.count <= Self.maximumText, let bytes = Base64URL.decode(text) else { throw fault(name) }
        return bytes
    }

    func optionalBytes(_ name: String) throws(CeremonyError) -> [UInt8]? {
        isAbsent(name) ? nil : try bytes(name)
    }

    /// Reads the id of a `public-key` credential, of at most `length` bytes; `id` and `rawId` must be the same text.
    func credentialID(atMost length: Int = .max) throws(CeremonyError) -> CredentialID {
        guard try text("type") == "public-key" else { throw fault("type") }
        let id = try bytes("id")
        guard !id.isEmpty, id.count <= length else { throw fault("id") }
        // Compared by bytes: in Swift, texts with different encodings can be equal.
        guard try text("rawId").utf8.elementsEqual(text("id").utf8) else { throw fault("rawId") }
        return CredentialID(id)
    }

    /// Reads lower-case words of at most 32 bytes, each once; others are ignored, as for transports (§5.8.4).
    func words(_ name: String) throws(CeremonyError) -> [String] {
        guard !isAbsent(name) else { return [] }
        guard case .array(let elements) = members[name] else { throw fault(name) }
        var words: [String] = []
        for element in elements.prefix(16) {
            guard case .string(let word) = element else { throw fault(name) }
            if Self.isWord(word), !words.contains(word) { words.append(word) }
        }
        return words
    }

    /// Reads the client's extension results (§7.1 and §7.2, step 4), which apps without extensions leave out.
    func extensionResults() throws(CeremonyError) -> [String: JSONValue] {
        let name = "clientExtensionResults"
        guard !isAbsent(name) else { return [:] }
        guard case .object(let results) = members[name] else {
            throw CeremonyError(.response(member: name), kind.step(4, 4))
        }
        return results
    }

    private func isAbsent(_ name: String) -> Bool { members[name]?.isNull ?? true }

    private func full(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    /// Returns the error for a member of the response (§7.1 and §7.2, step 3).
    private func fault(_ name: String) -> CeremonyError {
        CeremonyError(.response(member: full(name)), kind.step(3, 3))
    }

    private static func isWord(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }
}
