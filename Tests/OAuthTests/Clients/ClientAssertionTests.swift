import Kernel
import Testing

@testable import OAuth

/// Assertions that clients make about themselves (RFC 7523 §3), and what is none.
struct ClientAssertionTests {
    @Test(arguments: ClientSigner.Kind.allCases)
    func `each algorithm counts, with and without the name of the key`(_ kind: ClientSigner.Kind) throws {
        for kid in ["k1", nil] {
            let harness = try ClientHarness(signer: ClientSigner(kind, kid: kid))
            #expect(try harness.assert(AssertionClaims().json) == "backend private_key_jwt")
        }
    }

    @Test func `the issuer counts as audience, the endpoint does, and both together`() throws {
        let harness = try ClientHarness()
        let (issuer, endpoint) = ("\"\(AssertionClaims.issuer)\"", "\"\(AssertionClaims.issuer)/oauth/token\"")
        for (number, aud) in [issuer, endpoint, "[\(issuer)]", "[\(issuer),\(endpoint)]"].enumerated() {
            let claims = AssertionClaims.with {
                $0.aud = aud
                $0.jti = "\"\(number)\""
            }
            #expect(try harness.assert(claims) == "backend private_key_jwt", "\(aud)")
        }
    }

    // T-160, O-076
    @Test(
        arguments: [
            "null", "\"https://login.example.org\"", "\"https://login.example.com/\"", "\"HTTPS://LOGIN.EXAMPLE.COM\"",
            "[]",
            "[\"https://login.example.com\",\"https://login.example.org\"]", "7", "[7]", "\"\"", nil,
        ] as [String?]
    )
    func `attack: a client assertion with another or a further audience is refused`(_ aud: String?) throws {
        let harness = try ClientHarness()
        #expect(try harness.assert(AssertionClaims.with { $0.aud = aud }) == "invalid_client")
    }

    @Test(arguments: ["\"web\"", "\"\"", "null", nil, "[\"backend\"]"] as [String?])
    func `attack: a client assertion whose issuer or subject is not the client is refused`(_ name: String?) throws {
        let harness = try ClientHarness()
        #expect(try harness.assert(AssertionClaims.with { $0.iss = name }) == "invalid_client")
        #expect(try harness.assert(AssertionClaims.with { $0.sub = name }) == "invalid_client")
    }

    // T-159, O-076
    @Test func `attack: a client assertion is refused the second time, also a minute later`() throws {
        let harness = try ClientHarness()
        #expect(try harness.assert(AssertionClaims().json) == "backend private_key_jwt")
        #expect(try harness.assert(AssertionClaims().json) == "invalid_client")
        let later = AssertionClaims.now + .seconds(59)
        #expect(try harness.assert(AssertionClaims().json, at: later) == "invalid_client")
        #expect(try harness.assert(AssertionClaims.with { $0.jti = "\"two\"" }, at: later) == "backend private_key_jwt")
    }

    // T-159
    @Test(arguments: [nil, "\"\"", "7", "null", "\"\(String(repeating: "x", count: 257))\""] as [String?])
    func `attack: a client assertion without a usable jti is refused`(_ jti: String?) throws {
        let harness = try ClientHarness()
        #expect(try harness.assert(AssertionClaims.with { $0.jti = jti }) == "invalid_client")
    }

    @Test(
        arguments: [
            // Past its end and the clock's error.
            ("1799999970", "1799999900", nil), (nil, "1800000000", nil), ("\"1800000060\"", nil, nil),
            ("18000000600000000000", nil, nil), ("-1", nil, nil),
            // Further ahead than ten minutes, and it doesn't say when it was made.
            ("1800000632", nil, nil), ("4102444800", nil, nil),
            // Made, or good, only later.
            ("1800000060", "1800000031", nil), ("1800000060", nil, "1800000031"),
            // Made more than ten minutes ago.
            ("1800003600", "1799999300", nil),
        ] as [(String?, String?, String?)]
    )
    func `attack: a client assertion that is expired, not yet valid or valid too long is refused`(
        _ exp: String?,
        _ iat: String?,
        _ nbf: String?
    ) throws {
        let harness = try ClientHarness()
        let claims = AssertionClaims.with {
            $0.exp = exp
            $0.iat = iat
            $0.nbf = nbf
        }
        #expect(try harness.assert(claims) == "invalid_client")
    }

    // T-159
    @Test func `one that says an hour is good for ten minutes from when it was made, and remembered as long`() throws {
        let harness = try ClientHarness()
        let claims = AssertionClaims.with { $0.exp = "1800003600" }
        #expect(try harness.assert(claims) == "backend private_key_jwt")
        #expect(try harness.assert(claims, at: AssertionClaims.now + .seconds(600)) == "invalid_client", "used")
        let other = AssertionClaims.with {
            $0.exp = "1800003600"
            $0.jti = "\"two\""
        }
        #expect(try harness.assert(other, at: Instant(seconds: 1_800_000_629)) == "backend private_key_jwt")
        let third = AssertionClaims.with {
            $0.exp = "1800003600"
            $0.jti = "\"three\""
        }
        #expect(try harness.assert(third, at: Instant(seconds: 1_800_000_630)) == "invalid_client", "over")
    }

    @Test func `times may have fractions`() throws {
        let harness = try ClientHarness()
        let claims = AssertionClaims.with {
            $0.exp = "1800000060.25"
            $0.iat = "1.8e9"
        }
        #expect(try harness.assert(claims) == "backend private_key_jwt")
    }

    // T-160, O-034
    @Test(
        arguments: [
            ["typ": "dpop+jwt"], ["typ": "at+jwt"], ["typ": "oauth-authz-req+jwt"], ["alg": "none"], ["alg": "HS256"],
            ["alg": "RS256"], ["alg": "ES384"], ["alg": nil], ["crit": "exp"], ["zip": "DEF"], ["kid": "k2"],
            ["kid": ""],
        ] as [[String: String?]]
    )
    func `attack: a client assertion with another typ, alg or kid is refused`(_ header: [String: String?]) throws {
        let harness = try ClientHarness()
        #expect(try harness.assert(AssertionClaims().json, header: header) == "invalid_client")
    }

    @Test(arguments: ["JWT", "jwt", "application/jwt", "client-authentication+jwt"])
    func `its kind may be written`(_ type: String) throws {
        let harness = try ClientHarness()
        #expect(try harness.assert(AssertionClaims().json, header: ["typ": type]) == "backend private_key_jwt")
    }

    // T-160, O-078
    @Test func `attack: a client assertion signed by another client's key is refused and takes no room in memory`()
        throws
    {
        let harness = try ClientHarness()
        let attacker = try ClientSigner(.es256, kid: "k1")
        let token = try attacker.token(AssertionClaims().json)
        #expect(harness.outcome { $0.show(token) } == "invalid_client")
        #expect(harness.memory.count == 0, "and takes no room")
    }

    // T-160
    @Test func `attack: a client assertion with changed claims or a malformed signature is refused`() throws {
        let harness = try ClientHarness()
        let parts = try harness.signer.token(AssertionClaims().json).split(separator: ".").map(String.init)
        let other = Base64URL.encode(Array(AssertionClaims.with { $0.jti = "\"two\"" }.utf8))
        for text in [
            "\(parts[0]).\(other).\(parts[2])", "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])",
            "\(parts[0]).\(parts[1]).\(parts[2]).", "\(parts[0]).\(parts[1]).\(parts[2])=", "", "...",
            String(repeating: "a", count: 9000),
        ] {
            #expect(harness.outcome { $0.show(text) } == "invalid_client", "\(text.prefix(20))")
        }
    }

    // T-160
    @Test func `attack: an RSA client key is accepted only with the algorithm that its JWK names`() throws {
        let signer = try ClientSigner(.rs256, kid: "r")
        var jwk = signer.jwk
        jwk["alg"] = "PS256"
        let harness = try ClientHarness(signer: signer, keySet: ClientSigner.keySet([jwk]))
        #expect(try harness.assert(AssertionClaims().json) == "invalid_client", "RS256 by a key that is for PS256")
        jwk["alg"] = "RS256"
        let same = try ClientHarness(signer: signer, keySet: ClientSigner.keySet([jwk]))
        #expect(try same.assert(AssertionClaims().json) == "backend private_key_jwt")
    }

    @Test func `the type of the assertion has to be its own`() throws {
        let harness = try ClientHarness()
        let token = try harness.signer.token(AssertionClaims().json)
        #expect(harness.outcome { $0.assertion = token } == "invalid_request")
        #expect(harness.outcome { $0.assertionType = ClientAssertion.type } == "invalid_request")
        #expect(
            harness.outcome {
                $0.assertion = token
                $0.assertionType = "urn:ietf:params:oauth:client-assertion-type:saml2-bearer"
            } == "invalid_client"
        )
    }

    // T-159
    @Test func `attack: a full assertion memory refuses new assertions and replays, and drops expired ones`() throws {
        let harness = try ClientHarness(limit: 3)
        for number in 1...3 {
            #expect(try harness.assert(AssertionClaims.with { $0.jti = "\"\(number)\"" }) == "backend private_key_jwt")
        }
        #expect(try harness.assert(AssertionClaims.with { $0.jti = "\"4\"" }) == "temporarily_unavailable")
        #expect(try harness.assert(AssertionClaims.with { $0.jti = "\"1\"" }) == "invalid_client", "still known")
        let later = AssertionClaims.with {
            $0.exp = "1800000200"
            $0.jti = "\"5\""
        }
        #expect(try harness.assert(later, at: Instant(seconds: 1_800_000_180)) == "backend private_key_jwt")
        #expect(harness.memory.count == 1)
    }

    // T-159
    @Test func `attack: after the clock is set back, a forgotten assertion is still refused as used`() {
        let memory = AssertionMemory(limit: 10, environment: ClientHarness.environment)
        let (start, end) = (AssertionClaims.now, AssertionClaims.now + .seconds(30))
        #expect(memory.note("one", of: "backend", until: end, at: start) == .new)
        #expect(memory.note("two", of: "backend", until: start + .seconds(900), at: start + .seconds(600)) == .new)
        #expect(memory.count == 1, "the first has run out and is forgotten")
        #expect(memory.note("one", of: "backend", until: end, at: start) == .used)
        #expect(memory.note("one", of: "other", until: end + .seconds(900), at: start) == .new, "another client's")
    }

    @Test(
        arguments: [
            ("{}", .malformed), ("[]", .malformed), ("{\"keys\":{}}", .malformed), ("{\"keys\":[7]}", .malformed),
            ("{\"keys\":[]}", .empty), ("{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\"}]}", .privateKey),
            ("{\"keys\":[{\"kty\":\"oct\"}]}", .unusableKey),
            ("{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-384\"}]}", .unusableKey),
            ("{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AAAA\"}]}", .unusableKey),
        ] as [(String, ClientKeySetError)]
    )
    func `attack: a key set that is not one of public keys is not registered`(
        _ document: String,
        _ fault: ClientKeySetError
    ) {
        #expect(throws: fault) { try ClientKeySet(checking: document) }
        #expect(ClientKeySet(document: document).count == 0)
    }

    // RFC 7523 §3 item 9 wants a signature that is the client's. Under a key of small order, here the neutral element, anybody
    // writes one without a key: `R = A`, `S = 0` (RFC 8032 §5.1.7).
    // T-160, O-053
    @Test func `attack: an Ed25519 client key of small order is refused`() throws {
        let neutral = [1] + [UInt8](repeating: 0, count: 31)
        let jwk = ["kty": "OKP", "crv": "Ed25519", "kid": "k1", "x": Base64URL.encode(neutral)]
        let keySet = ClientSigner.keySet([jwk])
        #expect(throws: ClientKeySetError.unusableKey) { try ClientKeySet(checking: keySet) }
        // Nor does one count that was registered before this was looked at.
        let harness = try ClientHarness(keySet: keySet)
        let header = Base64URL.encode(Array(#"{"alg":"EdDSA","kid":"k1"}"#.utf8))
        let input = header + "." + Base64URL.encode(Array(AssertionClaims().json.utf8))
        let unsigned = input + "." + Base64URL.encode(neutral + [UInt8](repeating: 0, count: 32))
        #expect(harness.outcome { $0.show(unsigned) } == "invalid_client")
    }

    /// A modulus by the structure of CVE-2017-15361, as `ROCAFingerprintTests` says.
    private static let broken = """
        7OvERII2D4tIHazT8Gfd5iBvcYWT9xYBe3Lg2-iFYbbUzDZROfkqCgnqbNkLQGfjr5y8uuqR_Bw8xz3tDx7wdmgjeTLWNkA3vpVe\
        S1mKr4Cc-f4S2mxH98kOVaCA71-ZD5TlL1LrupCqdSqHfhmNJ_t5fYz9_UUX6xXP0_WaQhF9ShwoF0ki-_O2k2oQy7-vDLLYqr7N\
        n2wy9A5_lbpqyNOVRF_YimN1HeXx3Tep_mJHRQ8CIaLibXkcQsAgI0YwqYhP0tdQkoPQ5YadOe1iO7ptquWoN8YORrkMycASd-lh\
        lXgsbnPODK26f5SNmQGJ20s72tAPB8LJMJVG9k_x4w
        """

    // O-080
    @Test(arguments: ["RS256", "PS256"])
    func `attack: an RSA client key whose private key can be computed (ROCA) is refused`(_ algorithm: String) throws {
        let jwk = ["kty": "RSA", "n": Self.broken, "e": "AQAB", "alg": algorithm]
        let keySet = ClientSigner.keySet([jwk])
        #expect(throws: ClientKeySetError.unusableKey) { try ClientKeySet(checking: keySet) }
        #expect(ClientKeySet(document: keySet).count == 0, "nor one that was registered before this was looked at")
        var modulus = try #require(Base64URL.decode(Self.broken))
        modulus[255] ^= 2
        let sound = ClientSigner.keySet([jwk.merging(["n": Base64URL.encode(modulus)]) { $1 }])
        #expect(try ClientKeySet(checking: sound).count == 1, "the number beside it")
    }

    @Test func `attack: a key set with private, duplicate, misused or too many keys is not registered`()
        throws
    {
        let (one, two) = (try ClientSigner(.edDSA, kid: "a"), try ClientSigner(.es256, kid: "a"))
        #expect(throws: ClientKeySetError.duplicate) {
            try ClientKeySet(checking: ClientSigner.keySet([one.jwk, two.jwk]))
        }
        for (change, fault) in [
            (["d": "AAAA"], .privateKey), (["use": "enc"], .unusableKey), (["alg": "RS256"], .unusableKey),
            (["alg": "HS256"], .unusableKey), (["kid": ""], .unusableKey),
        ] as [([String: String], ClientKeySetError)] {
            let jwk = one.jwk.merging(change) { $1 }
            #expect(throws: fault) { try ClientKeySet(checking: ClientSigner.keySet([jwk])) }
        }
        let many = (1...9).map { number in one.jwk.merging(["kid": "k\(number)"]) { $1 } }
        #expect(throws: ClientKeySetError.tooMany) { try ClientKeySet(checking: ClientSigner.keySet(many)) }
        #expect(try ClientKeySet(checking: one.keySet).names == ["a"])
    }
}
