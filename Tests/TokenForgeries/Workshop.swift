import Kernel

/// Where forgeries are made: a genuine access token, and all that a forger could know or, at worst, get hold of.
///
/// Most forgeries are signed with the issuer's own key, so that their one error is the only reason to refuse them.
package struct Workshop: Sendable {
    /// A genuine access token that is good now.
    package let good: String
    /// Genuine tokens of the same issuer other than access tokens, by their kind.
    package let others: [(kind: String, token: String)]
    /// A key that is published and signs nothing yet.
    package let nextKid: String
    /// The encodings of the public key that one could take for a secret.
    package let publicEncodings: [(name: String, bytes: [UInt8])]
    /// Signs with the issuer's private key.
    package let sign: @Sendable ([UInt8]) throws -> [UInt8]

    /// The claims of ``good``: the name of each and its JSON, in order.
    let claims: [Member]
    let algorithm: String
    let kid: String

    struct Member: Sendable {
        let name: String
        let json: String
    }

    package init(
        good: String,
        others: [(kind: String, token: String)],
        nextKid: String,
        publicEncodings: [(name: String, bytes: [UInt8])],
        sign: @escaping @Sendable ([UInt8]) throws -> [UInt8]
    ) throws {
        self.good = good
        self.others = others
        self.nextKid = nextKid
        self.publicEncodings = publicEncodings
        self.sign = sign
        let parts = good.split(separator: ".")
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]) else {
            throw NotATokenError()
        }
        claims = Self.members(of: String(decoding: payload, as: UTF8.self))
        guard case .object(let members) = try JSONReader.read(header), case .string(let algorithm)? = members["alg"],
            case .string(let kid)? = members["kid"], claims.contains(where: { $0.name == "exp" })
        else { throw NotATokenError() }
        self.algorithm = algorithm
        self.kid = kid
    }

    package struct NotATokenError: Error {}

    // MARK: Parts

    /// A good header, with some members replaced by other JSON (`nil` leaves one out), and others added.
    func header(_ changes: [String: String?] = [:], adding added: String = "") -> String {
        let members = [("alg", "\"\(algorithm)\""), ("kid", "\"\(kid)\""), ("typ", "\"at+jwt\"")]
        return Self.object(members.map { Member(name: $0.0, json: $0.1) }, changes, added)
    }

    /// Good claims, changed in the same way.
    func payload(_ changes: [String: String?] = [:], adding added: String = "") -> String {
        Self.object(claims, changes, added)
    }

    private static func object(_ members: [Member], _ changes: [String: String?], _ added: String) -> String {
        let texts = members.compactMap { member -> String? in
            guard let json = changes[member.name] ?? member.json else { return nil }
            return "\"\(member.name)\":\(json)"
        }
        return "{" + (texts + (added.isEmpty ? [] : [added])).joined(separator: ",") + "}"
    }

    /// Signed with the issuer's key, whatever the parts say.
    func signed(_ header: String, _ payload: String) throws -> String {
        try signed(encoded: Base64URL.encode(Array(header.utf8)), Base64URL.encode(Array(payload.utf8)))
    }

    func signed(encoded header: String, _ payload: String) throws -> String {
        let input = "\(header).\(payload)"
        return "\(input).\(Base64URL.encode(try sign(Array(input.utf8))))"
    }

    /// ``good`` with another signature.
    func resigned(_ signature: some Sequence<UInt8>) -> String {
        good.split(separator: ".").prefix(2).joined(separator: ".") + "." + Base64URL.encode(Array(signature))
    }

    var signature: [UInt8] { Base64URL.decode(good.split(separator: ".")[2]) ?? [] }

    /// A number of a claim.
    func number(_ name: String) -> Int64 { claims.first { $0.name == name }.flatMap { Int64($0.json) } ?? 0 }

    /// The members of compact JSON without nested objects, as they are written.
    private static func members(of json: String) -> [Member] {
        var members: [Member] = []
        var depth = 0
        var isQuoted = false
        var start = json.index(after: json.startIndex)
        for index in json.indices.dropFirst() {
            switch json[index] {
            case "\"": isQuoted.toggle()
            case "[" where !isQuoted: depth += 1
            case "]" where !isQuoted: depth -= 1
            case "," where !isQuoted && depth == 0, "}" where !isQuoted && depth == 0:
                let parts = json[start..<index].split(separator: ":", maxSplits: 1)
                if parts.count == 2 {
                    members.append(Member(name: String(parts[0].dropFirst().dropLast()), json: String(parts[1])))
                }
                start = json.index(after: index)
            default: break
            }
        }
        return members
    }
}
