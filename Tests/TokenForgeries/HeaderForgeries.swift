import Crypto
import Kernel

extension Workshop {
    /// The algorithm is the forger's choice.
    func algorithms() throws -> [Forgery] {
        var found: [Forgery] = []
        for name in ["none", "None", "nOnE", ""] {
            let header = header(["alg": "\"\(name)\""])
            found.append(Forgery(name: "alg \"\(name)\", no signature", token: Self.unsigned(header, payload())))
            found.append(Forgery(name: "alg \"\(name)\", a real signature", token: try signed(header, payload())))
        }
        let guesses: [(name: String, bytes: [UInt8])] = [("nothing", []), ("the kid", Array(kid.utf8))]
        for (name, bytes) in publicEncodings + guesses {
            let confused = Self.hmac(header(["alg": "\"HS256\""]), payload(), key: bytes)
            found.append(Forgery(name: "HS256 with \(name)", token: confused))
            let disguised = Self.hmac(header(), payload(), key: bytes)
            found.append(Forgery(name: "an HMAC with \(name) as \(algorithm)", token: disguised))
        }
        for name in ["ES256", "EdDSA", "RS256", "ES384", "ES512", "ES256K", "PS256", "RS1", "HS512"]
        where name != algorithm {
            found.append(Forgery(name: "alg \(name)", token: try signed(header(["alg": "\"\(name)\""]), payload())))
        }
        let spellings: [(String, String)] = [
            ("alg in small letters", "\"\(algorithm.lowercased())\""), ("alg with a space", "\"\(algorithm) \""),
            ("alg as a list", "[\"\(algorithm)\"]"), ("alg null", "null"), ("alg as a number", "256"),
        ]
        for (name, json) in spellings {
            found.append(Forgery(name: name, token: try signed(header(["alg": json]), payload())))
        }
        found.append(Forgery(name: "no alg", token: try signed(header(["alg": nil]), payload())))
        return found
    }

    /// The key is the forger's choice.
    func keys() throws -> [Forgery] {
        let kids: [(String, String)] = [
            ("an unknown kid", "\"\(String(kid.reversed()))\""), ("an empty kid", "\"\""), ("kid null", "null"),
            ("kid as a number", "1"), ("kid as a list", "[\"\(kid)\"]"), ("a path as kid", "\"../../../dev/null\""),
            ("SQL as kid", "\"x' UNION SELECT 'key' --\""), ("a URL as kid", "\"https://attacker.example.com/k\""),
            ("a kid with NUL", "\"\(kid)\\u0000\""), ("a kid with a space", "\"\(kid) \""),
            ("the kid of the next key", "\"\(nextKid)\""),
        ]
        var found = try kids.map { Forgery(name: $0.0, token: try signed(header(["kid": $0.1]), payload())) }
        found.append(Forgery(name: "no kid", token: try signed(header(["kid": nil]), payload())))
        let outsider = P256.Signing.PrivateKey()
        func own(_ header: String) throws -> String {
            let input = Self.input(header, payload())
            return "\(input).\(Base64URL.encode(try outsider.signature(for: Array(input.utf8)).rawRepresentation))"
        }
        found.append(Forgery(name: "another key's signature under the server's kid", token: try own(header())))
        let strange = header(["alg": "\"ES256\"", "kid": "\"stranger\""])
        found.append(Forgery(name: "another key's signature under its own kid", token: try own(strange)))
        let point = Array(outsider.publicKey.rawRepresentation)
        let jwk =
            #"{"kty":"EC","crv":"P-256","alg":"ES256","x":"\#(Base64URL.encode(point.prefix(32)))","#
            + #""y":"\#(Base64URL.encode(point.suffix(32)))"}"#
        let members: [(String, String)] = [
            ("jwk with the forger's key", #""jwk":\#(jwk)"#),
            ("jku", #""jku":"https://attacker.example.com/jwks.json""#),
            ("x5u", #""x5u":"https://attacker.example.com/cert.pem""#), ("x5c", #""x5c":["MIIB"]"#),
            ("x5t", #""x5t":"AAAA""#),
        ]
        for (name, member) in members {
            found.append(Forgery(name: "\(name), another key's signature", token: try own(header(adding: member))))
            found.append(Forgery(name: "\(name), our signature", token: try signed(header(adding: member), payload())))
        }
        return found
    }

    /// The header says what no reader may follow or overlook.
    func headers() throws -> [Forgery] {
        let texts: [(String, String)] = [
            ("crit", header(adding: #""crit":["exp"]"#)), ("an empty crit", header(adding: #""crit":[]"#)),
            ("crit b64", header(adding: #""crit":["b64"],"b64":false"#)), ("b64", header(adding: #""b64":false"#)),
            ("zip", header(adding: #""zip":"DEF""#)), ("cty", header(adding: #""cty":"JWT""#)),
            ("alg twice", header(adding: #""alg":"none""#)),
            ("alg twice, the second one right", #"{"alg":"none","# + header().dropFirst()),
            ("alg twice, once escaped", header(adding: #""\u0061lg":"none""#)),
            ("kid twice", header(adding: #""kid":"\#(nextKid)""#)), ("typ twice", header(adding: #""typ":"JWT""#)),
            ("a header that is a list", "[\(header())]"), ("a header that is a text", "\"\(algorithm)\""),
            ("an empty header", "{}"), ("text behind the header", header() + " x"),
            ("two headers", header() + header()), ("a BOM before the header", "\u{FEFF}" + header()),
            ("a header that is not JSON", "alg=\(algorithm)"), ("a deep header", header(adding: Self.deep)),
            ("a long header", header() + String(repeating: " ", count: 600)),
        ]
        return try texts.map { Forgery(name: $0.0, token: try signed($0.1, payload())) }
    }

    /// Another kind of token, rightly signed.
    func types() throws -> [Forgery] {
        var found = try [
            "JWT", "jwt", "at+JWT", "AT+JWT", "rt+jwt", "id+jwt", "dpop+jwt", "logout+jwt", "vst-approval+jwt",
            "vestibule-receipt+jwt",
            "audit-checkpoint+jwt", "application/jwt", "at+jwt;v=1", "at+jwt ", "",
        ].map { Forgery(name: "typ \"\($0)\"", token: try signed(header(["typ": "\"\($0)\""]), payload())) }
        let others: [(String, String?)] = [("no typ", nil), ("typ null", "null"), ("typ as a list", #"["at+jwt"]"#)]
        for (name, json) in others {
            found.append(Forgery(name: name, token: try signed(header(["typ": json]), payload())))
        }
        for type in ["refresh", "id", "approval", "receipt", "checkpoint", "ACCESS", ""] {
            let token = try signed(header(), payload(["type": "\"\(type)\""]))
            found.append(Forgery(name: "the type claim \"\(type)\"", token: token))
        }
        found.append(Forgery(name: "no type claim", token: try signed(header(), payload(["type": nil]))))
        return found
    }

    private static let deep =
        #""x":"# + String(repeating: "[", count: 64) + String(repeating: "]", count: 64)

    static func input(_ header: String, _ payload: String) -> String {
        "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(Array(payload.utf8)))"
    }

    private static func unsigned(_ header: String, _ payload: String) -> String { input(header, payload) + "." }

    private static func hmac(_ header: String, _ payload: String, key: [UInt8]) -> String {
        let input = input(header, payload)
        let code = HMAC<SHA256>.authenticationCode(for: Array(input.utf8), using: SymmetricKey(data: key))
        return "\(input).\(Base64URL.encode(Array(code)))"
    }
}
