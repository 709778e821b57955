internal import Kernel
internal import TokenReading

/// The public keys of a client, which verify its assertions and request objects (RFC 7591 §2, `jwks`).
package struct ClientKeySet: Sendable, Equatable {
    /// The most keys of a client.
    ///
    /// Eight allow a few rotations, and bound the cost of verifying one signature.
    package static let maximumCount = 8
    /// The most bytes of a key set.
    ///
    /// A set of 4096-bit RSA keys fits.
    package static let maximumLength = 16_384

    /// The key set as it was registered.
    package let document: String
    private let keys: [Key]

    private struct Key: Sendable {
        let name: String
        let algorithms: [ClientAlgorithm]
        let key: VerificationKey
    }

    /// Reads a key set that ``init(checking:)`` has accepted before.
    ///
    /// Keys that have become unusable are skipped.
    package init(document: String) {
        self.document = document
        keys = (try? Self.members(document))?.compactMap { try? Self.key($0) } ?? []
    }

    /// Checks a key set that is to be registered: each of its keys must be usable.
    package init(checking document: String) throws(ClientKeySetError) {
        var keys: [Key] = []
        for member in try Self.members(document) { keys.append(try Self.key(member)) }
        guard !keys.isEmpty else { throw .empty }
        guard Set(keys.map(\.name)).count == keys.count else { throw .duplicate }
        self.document = document
        self.keys = keys
    }

    package static func == (left: ClientKeySet, right: ClientKeySet) -> Bool { left.document == right.document }

    package var count: Int { keys.count }

    /// The names of the keys: their `kid` or thumbprint.
    package var names: [String] { keys.map(\.name) }

    /// Verifies that one of the keys signed the message with the algorithm.
    ///
    /// If `name` is given, only the key of that name counts.
    ///
    /// A key is used only with the algorithms of its kind, and only with its own `alg` if it has one. A token's header
    /// selects one of these algorithms and never adds another (RFC 8725 §3.1).
    func verify(
        _ signature: [UInt8],
        over message: [UInt8],
        by algorithm: ClientAlgorithm,
        name: String?
    ) throws(TokenError) {
        let candidates = keys.filter { name == nil || $0.name == name }
        guard !candidates.isEmpty else { throw .unknownKey }
        let fitting = candidates.filter { $0.algorithms.contains(algorithm) }
        guard !fitting.isEmpty else { throw .algorithm }
        guard fitting.contains(where: { algorithm.isValid(signature, for: message, by: $0.key) }) else {
            throw .signature
        }
    }

    private static func members(_ document: String) throws(ClientKeySetError) -> [[String: JSONValue]] {
        guard document.utf8.count <= maximumLength,
            case .object(let set)? = try? JSONReader.read(Array(document.utf8), maximumDepth: 8),
            case .array(let values)? = set["keys"]
        else { throw .malformed }
        guard values.count <= maximumCount else { throw .tooMany }
        var members: [[String: JSONValue]] = []
        for value in values {
            guard case .object(let member) = value else { throw .malformed }
            members.append(member)
        }
        return members
    }

    private static func key(_ member: [String: JSONValue]) throws(ClientKeySetError) -> Key {
        // A client that sends a private key has disclosed it: everybody who has read it could impersonate the client.
        guard privateMembers.isDisjoint(with: member.keys) else { throw .privateKey }
        guard let type = text(member["kty"]), let kind = ClientAlgorithm.kinds[type] else { throw .unusableKey }
        guard member["use"] == nil || text(member["use"]) == "sig" else { throw .unusableKey }
        guard isForVerifying(member["key_ops"]) else { throw .unusableKey }
        var algorithms = ClientAlgorithm.allCases.filter { $0.kind == kind }
        if let value = member["alg"] {
            guard let only = text(value).flatMap(ClientAlgorithm.init), only.kind == kind else { throw .unusableKey }
            algorithms = [only]
        }
        guard let key = VerificationKey(jwk: member, algorithm: kind) else { throw .unusableKey }
        var name = key.thumbprint.text
        if let value = member["kid"] {
            guard let own = text(value), !own.isEmpty, own.utf8.count <= ClientToken.longestKeyName else {
                throw .unusableKey
            }
            name = own
        }
        return Key(name: name, algorithms: algorithms, key: key)
    }

    /// Whether a key's `key_ops` allow the verification of signatures (RFC 7517 §4.3).
    private static func isForVerifying(_ operations: JSONValue?) -> Bool {
        switch operations {
        case nil: true
        case .array(let names)?: names.contains(.string("verify"))
        case .null?, .bool?, .number?, .string?, .object?: false
        }
    }

    /// The private members of keys: RFC 7518 §6.2.2, §6.3.2 and §6.4, and RFC 8037 §2.
    private static let privateMembers: Set<String> = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    private static func text(_ value: JSONValue?) -> String? {
        guard case .string(let text)? = value else { return nil }
        return text
    }
}

/// The reason why a key set is refused.
package enum ClientKeySetError: String, Error, Sendable, CaseIterable {
    /// The key set is not an object with an array `keys` of objects, or is too long.
    case malformed
    case empty
    case tooMany = "too_many"
    /// Two keys have the same `kid`.
    case duplicate
    /// A key is not for signatures, or its kind or algorithm is not supported.
    case unusableKey = "unusable_key"
    /// A key has private or symmetric members.
    case privateKey = "private_key"

    /// The message for the person who wrote the key set, in the characters of an `error_description`.
    package var text: String {
        switch self {
        case .malformed:
            "The key set must be a JSON object with an array keys of JWKs, in \(ClientKeySet.maximumLength) bytes at most."
        case .empty: "The key set has no key."
        case .tooMany: "The key set holds more than \(ClientKeySet.maximumCount) keys."
        case .duplicate: "Two keys of the set have one kid."
        case .unusableKey:
            "Each key must be a public signing key for one of \(ClientAlgorithm.names): P-256, Ed25519, or RSA of 2048 to 4096 bits, and none that can be broken (CVE-2017-15361)."
        case .privateKey:
            "The key set holds a private key: throw that key away and register the public half of a new one."
        }
    }
}
