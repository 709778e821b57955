import Crypto
import Foundation
import Kernel
import Testing
import TokenForgeries

@testable import TokenReading

struct DPoPProofTests {
    private static let now = Instant(seconds: 1_800_000_000)
    private static let url = "https://login.example.com/auth/me"
    private static let token = "header.payload.signature"
    private let maker = DPoPMaker()

    private static var good: String { DPoPMaker.claims("GET", url, at: now, id: "one", token: token) }

    /// Returns what is wrong with a proof for `GET` of that URL with that token.
    private func fault(
        _ proof: String,
        _ method: String = "GET",
        url: String = url,
        token: String? = token,
        at now: Instant = now
    ) -> DPoPError? {
        do throws(DPoPError) {
            guard let target = TargetURI(url) else { return .url }
            try DPoPProof(parsing: proof).check(
                DPoPRequest(method: method, target: target, accessToken: token),
                at: now
            )
            return nil
        } catch { return error }
    }

    // MARK: RFC 9449

    /// Figure 2 of RFC 9449.
    private static let published = """
        eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoR\
        jQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqd\
        GkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNT\
        YyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg
        """
    /// Figure 12.
    private static let publishedWithToken = """
        eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoR\
        jQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqd\
        GkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0ZWRyZXNvdX\
        JjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9.2oW9RP35yRqzhr\
        tNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA
        """

    @Test func `the RFC's own proofs are good for its own requests, and name its key`() throws {
        let page = "https://server.example.com/token"
        #expect(fault(Self.published, "POST", url: page, token: nil, at: Instant(seconds: 1_562_262_616)) == nil)
        let resource = "https://resource.example.org/protectedresource"
        let then = Instant(seconds: 1_562_262_618)
        let token = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"
        #expect(fault(Self.publishedWithToken, "GET", url: resource, token: token, at: then) == nil)
        for text in [Self.published, Self.publishedWithToken] {
            #expect(try DPoPProof(parsing: text).key.text == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
        }
        #expect(fault(Self.published, "POST", url: page, token: token, at: then) == .tokenHash)
        #expect(try DPoPProof(parsing: Self.published).mark != DPoPProof(parsing: Self.publishedWithToken).mark)
    }

    // MARK: Requests

    // T-095
    @Test func `a proof is for one method, one URL and one token, and for about now`() throws {
        let proof = try maker.signed(Self.good)
        #expect(fault(proof) == nil)
        #expect(fault(proof, token: nil) == nil, "without a token the hash says nothing")
        for method in ["POST", "get", "HEAD", ""] { #expect(fault(proof, method) == .method) }
        for url in ["https://login.example.com/auth/other", "https://login.example.org/auth/me", "http://x/auth/me"] {
            #expect(fault(proof, "GET", url: url) == .url)
        }
        for token in [Self.token + "A", "", String(Self.token.dropLast())] {
            #expect(fault(proof, token: token) == .tokenHash)
        }
        for (shift, isGood) in [(120, true), (121, false), (-120, true), (-121, false), (86_400, false)] {
            #expect(fault(proof, at: Self.now + .seconds(shift)) == (isGood ? nil : .time), "\(shift)")
        }
    }

    // T-095
    @Test func `attack: a DPoP proof with an access token is refused without the token's hash`() throws {
        let bare = DPoPMaker.claims("GET", Self.url, at: Self.now, id: "one")
        #expect(fault(try maker.signed(bare)) == .tokenHash)
        for hash in ["", "x", Base64URL.encode([UInt8](repeating: 0, count: 32)), Self.token] {
            let claims = bare.dropLast() + #","ath":"\#(hash)"}"#
            #expect(fault(try maker.signed(String(claims))) == .tokenHash)
        }
        #expect(fault(try maker.signed(String(bare.dropLast() + #","ath":null}"#))) == .claims)
    }

    // MARK: Form

    // T-095
    @Test func `attack: a DPoP proof with a symmetric, missing or unknown algorithm is refused`() throws {
        let secret = SymmetricKey(size: .bits256)
        let octets = secret.withUnsafeBytes { Base64URL.encode($0) }
        for (algorithm, jwk) in [
            ("HS256", #""kty":"oct","k":"\#(octets)""#), ("none", maker.members), ("RS256", maker.members),
            ("ES384", maker.members), ("es256", maker.members), ("", maker.members),
        ] {
            let header = #"{"typ":"dpop+jwt","alg":"\#(algorithm)","jwk":{\#(jwk)}}"#
            let input = DPoPMaker.encoded(header) + "." + DPoPMaker.encoded(Self.good)
            let code = HMAC<SHA256>.authenticationCode(for: Array(input.utf8), using: secret)
            #expect(fault(input + "." + Base64URL.encode(code)) == .algorithm, "\(algorithm)")
            #expect(fault(input + ".") == .algorithm, "\(algorithm)")
        }
    }

    // T-095
    @Test func `attack: a DPoP proof with a private key in its header is refused`() throws {
        for member in ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] {
            let header = #"{"typ":"dpop+jwt","alg":"ES256","jwk":{\#(maker.members),"\#(member)":"AA"}}"#
            #expect(fault(try maker.signed(header: header, Self.good)) == .privateKey, "\(member)")
        }
    }

    // T-095, O-034
    @Test func `attack: a DPoP proof with another typ, key, crit member or signature is refused`() throws {
        let (members, other) = (maker.members, DPoPMaker())
        let headers: [(String, DPoPError)] = [
            (#"{"alg":"ES256","jwk":{\#(members)}}"#, .type),
            (#"{"typ":"at+jwt","alg":"ES256","jwk":{\#(members)}}"#, .type),
            (#"{"typ":"dpop+jwt","jwk":{\#(members)}}"#, .algorithm),
            (#"{"typ":"dpop+jwt","alg":"ES256"}"#, .key),
            (#"{"typ":"dpop+jwt","alg":"ES256","jwk":"x"}"#, .key),
            (#"{"typ":"dpop+jwt","alg":"ES256","jwk":{}}"#, .key),
            (#"{"typ":"dpop+jwt","alg":"EdDSA","jwk":{\#(members)}}"#, .key),
            (#"{"typ":"dpop+jwt","alg":"ES256","jwk":{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}}"#, .key),
            (#"{"typ":"dpop+jwt","alg":"ES256","crit":["b64"],"b64":false,"jwk":{\#(members)}}"#, .malformed),
            (#"{"typ":"dpop+jwt","alg":"ES256","zip":"DEF","jwk":{\#(members)}}"#, .malformed),
            (#"{"typ":"dpop+jwt","alg":"ES256","jwk":{\#(members)},"jwk":{\#(other.members)}}"#, .malformed),
            (#"{"typ":"dpop+jwt","alg":"ES256","jwk":{\#(other.members)}}"#, .signature),
        ]
        for (header, refusal) in headers {
            #expect(fault(try maker.signed(header: header, Self.good)) == refusal, "\(header)")
        }
        let benign = #"{"typ":"dpop+jwt","alg":"ES256","kid":"k","jwk":{\#(members),"use":"sig","ext":true}}"#
        #expect(fault(try maker.signed(header: benign, Self.good)) == nil, "members that say nothing harmful")
    }

    @Test func `a malformed proof is refused`() throws {
        let good = try maker.signed(Self.good)
        let parts = good.split(separator: ".")
        for text in [
            "", "x", "a.b", good + ".", good + "=", " " + good, "\(parts[0]).\(parts[1])", "\(parts[0])..\(parts[2])",
            String(repeating: "A", count: 5000), good + good,
        ] {
            #expect(fault(text) == .malformed, "\(text.prefix(20))")
        }
        let short = Base64URL.encode(try #require(Base64URL.decode(parts[2])).dropLast())
        #expect(fault("\(parts[0]).\(parts[1]).\(short)") == .signature)
        let swapped = DPoPMaker.encoded(Self.good.replacing("one", with: "two"))
        #expect(fault("\(parts[0]).\(swapped).\(parts[2])") == .signature)
    }

    @Test(arguments: ["jti", "htm", "htu", "iat"])
    func `each claim has to be there, with its own type`(_ name: String) throws {
        let values = ["jti": #""one""#, "htm": #""GET""#, "htu": #""\#(Self.url)""#, "iat": "\(Self.now.seconds)"]
        func claims(_ changed: String?) -> String {
            let members = values.keys.sorted().compactMap { key in
                (key == name ? changed : values[key]).map { #""\#(key)":\#($0)"# }
            }
            return "{\(members.joined(separator: ","))}"
        }
        #expect(fault(try maker.signed(claims(values[name])), token: nil) == nil)
        let odd = name == "iat" ? [#""\#(Self.now.seconds)""#, "-1", "1e400"] : ["1", #""""#]
        for changed in [nil, "null", "[]", "true"] + odd.map(Optional.some) {
            #expect(fault(try maker.signed(claims(changed)), token: nil) == .claims, "\(changed ?? "-")")
        }
    }

    @Test func `the time may have a fraction, and counts to the millisecond (RFC 7519 §2)`() throws {
        let (now, whole) = (Self.now, Self.now.seconds)
        func fault(_ date: String, at now: Instant) throws -> DPoPError? {
            let claims = #"{"jti":"one","htm":"GET","htu":"\#(Self.url)","iat":\#(date)}"#
            return self.fault(try maker.signed(claims), token: nil, at: now)
        }
        for date in ["\(whole)", "\(whole).0", "\(whole).123456", "1.8e9", "1800000000.0000000000000000001"] {
            #expect(try fault(date, at: now) == nil, "\(date)")
        }
        #expect(try fault("\(whole).5", at: now + .milliseconds(120_500)) == nil)
        #expect(try fault("\(whole).5", at: now + .milliseconds(120_501)) == .time)
        #expect(try fault("\(whole).5", at: now - .milliseconds(119_500)) == nil)
        #expect(try fault("\(whole).5", at: now - .milliseconds(119_501)) == .time)
        #expect(try fault("1.5", at: now) == .time)
    }

    @Test func `an id may have so many characters and no more`() throws {
        for (length, isGood) in [(256, true), (257, false)] {
            let claims = DPoPMaker.claims("GET", Self.url, at: Self.now, id: String(repeating: "j", count: length))
            #expect(fault(try maker.signed(claims), token: nil) == (isGood ? nil : .claims))
        }
    }

    @Test func `Ed25519 is taken as well`() throws {
        let key = Curve25519.Signing.PrivateKey()
        let x = Base64URL.encode(key.publicKey.rawRepresentation)
        let header = #"{"typ":"dpop+jwt","alg":"EdDSA","jwk":{"kty":"OKP","crv":"Ed25519","x":"\#(x)"}}"#
        let input = DPoPMaker.encoded(header) + "." + DPoPMaker.encoded(Self.good)
        let proof = input + "." + Base64URL.encode(try key.signature(for: Data(input.utf8)))
        #expect(fault(proof) == nil)
        #expect(try DPoPProof(parsing: proof).key == VerificationKey.edDSA(key.publicKey).thumbprint)
    }

    // RFC 9449 §4.3 steps 6 and 7: a proof shows that somebody has the key. Under a key of small order `R = A`, `S = 0` and
    // their like hold over every message, so that everybody has it (RFC 8032 §5.1.7).
    // O-053
    @Test(arguments: [
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        // The prime is added, which the library undoes.
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    ])
    func `attack: a DPoP proof with a small-order key is refused`(_ text: String) throws {
        let point = try #require(Self.bytes(text))
        let x = Base64URL.encode(point)
        let header = #"{"typ":"dpop+jwt","alg":"EdDSA","jwk":{"kty":"OKP","crv":"Ed25519","x":"\#(x)"}}"#
        let input = DPoPMaker.encoded(header) + "." + DPoPMaker.encoded(Self.good)
        let neutral = [1] + [UInt8](repeating: 0, count: 63)
        #expect(fault(input + "." + Base64URL.encode(neutral)) == .key)
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue.map(UInt8.init) }
        guard digits.count == 64 else { return nil }
        return stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    @Test func `a proof is remembered by its key and its id`() throws {
        func mark(_ maker: DPoPMaker, _ id: String) throws -> Digest256 {
            let claims = DPoPMaker.claims("GET", Self.url, at: Self.now, id: id)
            return try DPoPProof(parsing: maker.signed(claims)).mark
        }
        let (one, same) = (try mark(maker, "one"), try mark(maker, "one"))
        let (two, foreign) = (try mark(maker, "two"), try mark(DPoPMaker(), "one"))
        #expect(one == same && one != two && one != foreign)
    }
}
