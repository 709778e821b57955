import Kernel

extension Workshop {
    /// Rightly signed, but not for now, not for this server, or with claims that the server never writes.
    func claimFaults() throws -> [Forgery] {
        let expiry = number("exp")
        let day: Int64 = 86_400
        let changes: [(String, String, String)] = [
            ("expired a day ago", "exp", "\(number("iat") - day)"), ("exp as a text", "exp", "\"\(expiry)\""),
            ("exp as a fraction", "exp", "\(expiry).5"), ("exp with an exponent", "exp", "1e12"),
            ("exp null", "exp", "null"),
            ("exp as a list", "exp", "[\(expiry)]"), ("a negative exp", "exp", "-1"),
            ("an exp beyond 64 bits", "exp", "99999999999999999999"),
            ("an exp at the end of 64 bits", "exp", "9223372036854775807"),
            ("issued tomorrow", "iat", "\(number("iat") + day)"), ("iat as a text", "iat", "\"\(number("iat"))\""),
            ("another issuer", "iss", "\"https://attacker.example.com\""), ("an empty issuer", "iss", "\"\""),
            ("issuer null", "iss", "null"), ("a list of issuers", "iss", "[\(json("iss"))]"),
            ("the issuer with a slash", "iss", "\(json("iss").dropLast())/\""),
            ("the issuer in capitals", "iss", json("iss").uppercased()),
            ("the issuer as a part", "iss", "\(json("iss").dropLast()).attacker.example.com\""),
            ("another audience", "aud", "\"somebody-else\""), ("an empty audience", "aud", "\"\""),
            ("audience null", "aud", "null"), ("an audience of many", "aud", "[\(json("aud")),\"somebody-else\"]"),
            ("the audience in capitals", "aud", json("aud").uppercased()),
            ("a subject other than an account", "sub", "\"admin\""), ("an empty subject", "sub", "\"\""),
            ("a subject as a number", "sub", "1"), ("a session that is none", "sid", "\"1\""),
            ("jti as a number", "jti", "1"), ("amr as a text", "amr", "\"face\""),
        ]
        var found = try changes.map { Forgery(name: $0.0, token: try signed(header(), payload([$0.1: $0.2]))) }
        for name in ["iss", "aud", "sub", "exp", "iat", "jti", "sid", "client_id", "auth_time", "amr"] {
            found.append(Forgery(name: "no \(name)", token: try signed(header(), payload([name: nil]))))
        }
        let twice: [(String, String)] = [
            ("aud", "\"somebody-else\""), ("exp", "\(expiry + day)"), ("sub", json("sub")), ("iss", "\"x\""),
        ]
        for (name, json) in twice {
            let token = try signed(header(), payload(adding: "\"\(name)\":\(json)"))
            found.append(Forgery(name: "\(name) twice", token: token))
        }
        let additions: [(String, String)] = [
            ("good from tomorrow on", "\"nbf\":\(number("iat") + day)"), ("nbf as a text", "\"nbf\":\"0\""),
            ("aud twice, once escaped", #""\u0061ud":"somebody-else""#),
        ]
        for (name, added) in additions {
            found.append(Forgery(name: name, token: try signed(header(), payload(adding: added))))
        }
        let texts: [(String, String)] = [
            ("claims that are a list", "[\(payload())]"), ("claims that are a text", "\"x\""), ("claims null", "null"),
            ("text behind the claims", payload() + "{}"), ("claims that are not JSON", "exp=\(expiry)"),
            ("half the claims", String(payload().dropLast(20))),
            ("NUL in the claims", payload(adding: "\"x\":\"\u{0}\"")),
        ]
        for (name, text) in texts {
            found.append(Forgery(name: name, token: try signed(header(), text)))
        }
        let invalid = Array(payload().dropLast().utf8) + Array(",\"x\":\"".utf8) + [0xFF] + Array("\"}".utf8)
        let encoded = Base64URL.encode(Array(header().utf8))
        found.append(
            Forgery(name: "claims that are not UTF-8", token: try signed(encoded: encoded, Base64URL.encode(invalid)))
        )
        return found
    }

    private func json(_ name: String) -> String { claims.first { $0.name == name }?.json ?? "null" }
}
