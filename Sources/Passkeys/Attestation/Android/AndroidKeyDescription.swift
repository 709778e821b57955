internal import SwiftASN1

/// The KeyDescription that Android's keystore writes into a key's certificate (Android key attestation, schema).
struct AndroidKeyDescription: Equatable {
    static let identifier: ASN1ObjectIdentifier = "1.3.6.1.4.1.11129.2.1.17"

    /// Where the attestation was made: 0 is software, and ``hardwareLevels`` are secure hardware.
    let securityLevel: Int
    let challenge: [UInt8]
    let softwareEnforced: Authorizations
    /// The rules that the trusted execution environment or the secure element enforces (`teeEnforced` in older
    /// versions).
    let hardwareEnforced: Authorizations

    /// The values of `attestationSecurityLevel` for the trusted execution environment and for a secure element.
    static let hardwareLevels: Set<Int> = [1, 2]

    /// The purposes and the origin of a key.
    struct Authorizations: Equatable {
        /// `nil` if the list states no purposes.
        var purposes: [Int]?
        var origin: Int?
        /// Whether every app of the device may use the key.
        var allApplications = false
    }

    /// Reads a KeyDescription; `nil` for any other structure.
    init?(_ der: ArraySlice<UInt8>) {
        guard let read = try? Self.read(der) else { return nil }
        self = read
    }

    private init(_ nodes: inout ASN1NodeCollection.Iterator) throws {
        _ = try Int(derEncoded: &nodes)  // attestationVersion
        securityLevel = try Int(derEncoded: try Self.next(&nodes), withIdentifier: .enumerated)
        _ = try Int(derEncoded: &nodes)  // keyMintVersion
        _ = try Int(derEncoded: try Self.next(&nodes), withIdentifier: .enumerated)  // keyMintSecurityLevel
        challenge = Array(try ASN1OctetString(derEncoded: &nodes).bytes)
        _ = try ASN1OctetString(derEncoded: &nodes)  // uniqueId
        softwareEnforced = try Authorizations(try Self.next(&nodes))
        hardwareEnforced = try Authorizations(try Self.next(&nodes))
    }

    private static func read(_ der: ArraySlice<UInt8>) throws -> Self {
        try DER.sequence(try DER.parse(der), identifier: .sequence) { nodes in try Self(&nodes) }
    }

    private static func next(_ nodes: inout ASN1NodeCollection.Iterator) throws -> ASN1Node {
        guard let node = nodes.next() else { throw ASN1Error.truncatedASN1Field() }
        return node
    }
}

extension AndroidKeyDescription.Authorizations {
    /// The tags of an AuthorizationList that are read; the many others are ignored, since the schema grows.
    private enum Tag {
        static let purpose: UInt = 1
        static let allApplications: UInt = 600
        static let origin: UInt = 702
    }

    fileprivate init(_ list: ASN1Node) throws {
        guard list.identifier == .sequence, case .constructed(let nodes) = list.content else {
            throw ASN1Error.unexpectedFieldType(list.identifier)
        }
        var seen: Set<UInt> = []
        for node in nodes {
            let tag = node.identifier.tagNumber
            // A duplicate field could be read differently by different readers.
            guard node.identifier.tagClass == .contextSpecific, seen.insert(tag).inserted else {
                throw ASN1Error.unexpectedFieldType(node.identifier)
            }
            try read(node, tag: tag)
        }
    }

    private mutating func read(_ node: ASN1Node, tag: UInt) throws {
        switch tag {
        case Tag.purpose:
            purposes = try Self.value(node) { try DER.sequence(of: Int.self, identifier: .set, rootNode: $0) }
        case Tag.allApplications:
            allApplications = true
        case Tag.origin:
            origin = try Self.value(node) { try Int(derEncoded: $0) }
        default:
            return
        }
    }

    private static func value<Value>(_ node: ASN1Node, _ read: (ASN1Node) throws -> Value) throws -> Value {
        let tag = node.identifier.tagNumber
        return try DER.explicitlyTagged(node, tagNumber: tag, tagClass: .contextSpecific, read)
    }
}
