/// The JOSE header of this server's tokens: only `alg`, `kid` and `typ`.
enum TokenHeader {
    /// Returns the first part of a compact token with the dot after it.
    ///
    /// It is made once per key.
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
