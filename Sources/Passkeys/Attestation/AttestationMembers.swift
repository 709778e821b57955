/// Reads the members of an attestation statement that has exactly those of its format.
struct AttestationMembers {
    private let members: CBORMap

    /// `names`: all members of the format; a missing or further member is an error.
    init(_ members: CBORMap, exactly names: Set<String>) throws(AttestationError) {
        guard members.count == names.count, names.allSatisfy({ members[$0] != nil }) else { throw .malformed }
        self.members = members
    }

    func bytes(_ name: String) throws(AttestationError) -> [UInt8] {
        guard let bytes = members[name]?.byteString else { throw .malformed }
        return bytes
    }

    func text(_ name: String) throws(AttestationError) -> String {
        guard let text = members[name]?.textString else { throw .malformed }
        return text
    }

    func integer(_ name: String) throws(AttestationError) -> Int64 {
        guard let number = members[name]?.integer else { throw .malformed }
        return number
    }

    /// `alg`.
    func algorithm() throws(AttestationError) -> COSEAlgorithm {
        guard let algorithm = COSEAlgorithm(rawValue: try integer("alg")) else { throw .algorithmUnsupported }
        return algorithm
    }

    /// `x5c`.
    func certificates() throws(AttestationError) -> CertificatePath {
        guard let elements = members["x5c"]?.elements else { throw .malformed }
        return try CertificatePath(elements)
    }
}
