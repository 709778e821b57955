/// The `typ` of each kind of token (RFC 8725 §3.11): what keeps one from being taken for the other, before any
/// claim is read.
enum TokenType {
    /// RFC 9068 §2.1.
    static let access = "at+jwt"
    /// The same with the prefix that RFC 7515 §4.1.9 lets a sender leave out; read, never written.
    static let accessInFull = "application/at+jwt"
    /// Not registered: a refresh token is for the server that signed it and nobody else.
    static let refresh = "rt+jwt"
    /// Not registered: a checkpoint of the audit, for whoever checks the audit.
    static let auditCheckpoint = "audit-checkpoint+jwt"
    /// Not registered: what somebody has approved, for whoever carries it out.
    static let approval = "vst-approval+jwt"
}

/// The JOSE header of our tokens: `alg`, `kid` and `typ`, nothing more.
enum TokenHeader {
    /// The first part of a compact token with the dot behind it, made once per key.
    static func part(algorithm: String, kid: String, type: String) -> [UInt8] {
        var json = JSONWriter()
        json.object { object in
            object.member("alg", string: algorithm)
            object.member("kid", string: kid)
            object.member("typ", string: type)
        }
        var token = TokenBuffer(capacity: 256)
        token.append(base64URL: json.bytes)
        token.appendDot()
        return token.bytes
    }
}
