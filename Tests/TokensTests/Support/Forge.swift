import Crypto
import Foundation
import Kernel
import TokenReading

@testable import Tokens

/// Makes tokens by hand: what an attacker could send, and what we would sign if we signed nonsense.
struct Forge {
    let fixture: TokenFixture

    var kid: String { fixture.ring.snapshot.keys[0].id.text }

    /// The header of a good access token, as text to be tampered with.
    var accessHeader: String { #"{"alg":"ES256","kid":"\#(kid)","typ":"at+jwt"}"# }

    var refreshHeader: String { #"{"alg":"HS256","kid":"\#(fixture.folder.rootFingerprint)","typ":"rt+jwt"}"# }

    /// Returns the claims of a good access token.
    func accessPayload(
        _ claims: AccessClaims = TokenFixture.accessClaims(),
        issuer: String = TokenFixture.issuer
    ) -> String {
        String(decoding: claims.json(issuer: issuer), as: UTF8.self)
    }

    func refreshPayload(_ claims: RefreshClaims = TokenFixture.refreshClaims()) -> String {
        String(decoding: claims.json(), as: UTF8.self)
    }

    /// Signed with the ring's current key, whatever the header says.
    func signed(header: String? = nil, payload: String? = nil) throws -> String {
        let input = Self.input(header ?? accessHeader, payload ?? accessPayload())
        return input + "." + Base64URL.encode(try fixture.ring.snapshot.current.signature(for: Array(input.utf8)))
    }

    /// Signed with the key of refresh tokens, whatever the header says.
    func signedAsRefresh(header: String? = nil, payload: String? = nil) -> String {
        let key = fixture.folder.derivedKey(.refreshToken)
        return Self.hmac(header ?? refreshHeader, payload ?? refreshPayload(), key: key)
    }

    static func hmac(_ header: String, _ payload: String, key: SymmetricKey) -> String {
        let input = input(header, payload)
        return input + "." + Base64URL.encode(HMAC<SHA256>.authenticationCode(for: Array(input.utf8), using: key))
    }

    static func input(_ header: String, _ payload: String) -> String {
        Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
    }

    /// Returns the three parts of a token.
    static func parts(_ token: String) -> [String] { token.split(separator: ".").map(String.init) }

    /// Returns the token with its signature replaced.
    static func resigned(_ token: String, _ signature: some Sequence<UInt8>) -> String {
        parts(token).prefix(2).joined(separator: ".") + "." + Base64URL.encode(signature)
    }

    static func signature(of token: String) throws -> [UInt8] {
        guard let signature = Base64URL.decode(parts(token)[2]) else { throw CocoaError(.coderInvalidValue) }
        return signature
    }
}
