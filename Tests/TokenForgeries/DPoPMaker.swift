package import Crypto
package import Kernel

/// Makes DPoP proofs (RFC 9449 §4.2): as a client does, and as an attacker could.
package struct DPoPMaker: Sendable {
    package let key: P256.Signing.PrivateKey

    package init(_ key: P256.Signing.PrivateKey = P256.Signing.PrivateKey()) { self.key = key }

    /// The members of the public key, without braces.
    package var members: String {
        let point = Array(key.publicKey.rawRepresentation)
        let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
        return #""kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)""#
    }

    package var header: String { #"{"typ":"dpop+jwt","alg":"ES256","jwk":{\#(members)}}"# }

    /// The claims of a proof; `token`: the access token that it goes with.
    package static func claims(
        _ method: String,
        _ url: String,
        at now: Instant,
        id: String,
        token: String? = nil
    ) -> String {
        let hash = token.map { #","ath":"\#(Base64URL.encode(SHA256.hash(data: Array($0.utf8))))""# } ?? ""
        return #"{"jti":"\#(id)","htm":"\#(method)","htu":"\#(url)","iat":\#(now.seconds)\#(hash)}"#
    }

    /// Signed with the key, whatever the header says.
    package func signed(header: String? = nil, _ claims: String) throws -> String {
        let input = Self.encoded(header ?? self.header) + "." + Self.encoded(claims)
        return input + "." + Base64URL.encode(try key.signature(for: Array(input.utf8)).rawRepresentation)
    }

    package static func encoded(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }
}
