internal import Crypto
internal import Kernel
package import TokenReading

/// Signs and reads checkpoints of the audit log: compact JWS (RFC 7515 §7.1) with Ed25519 (RFC 8037 §3.1).
///
/// The key is derived from `root.key` and is not in the key ring. Ring keys are rotated and deleted, but a checkpoint
/// must be readable as long as the audit log is kept. Its own `typ` distinguishes it from tokens (RFC 8725 §3.11). With
/// ``publicKey``, others can check exported checkpoints without a secret of this server.
package struct CheckpointSigner: Sendable {
    private let key: Curve25519.Signing.PrivateKey
    private let name: KeyID
    /// The first part of every checkpoint, with the dot after it.
    private let header: [UInt8]

    /// - Throws: ``KeyError`` if the library refuses the derived 32 bytes as a key, which does not happen.
    package init(_ folder: KeyFolder) throws(KeyError) {
        let seed = folder.derivedKey(.auditCheckpoint).withUnsafeBytes { Array($0) }
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else {
            throw .damaged(path: folder.path, .wrongSize(expected: 32, found: seed.count))
        }
        self.key = key
        name = VerificationKey.edDSA(key.publicKey).thumbprint
        header = TokenHeader.part(
            algorithm: SigningAlgorithm.edDSA.rawValue,
            kid: name.text,
            type: TokenType.auditCheckpoint
        )
    }

    /// Returns the checkpoint as one line of text.
    package func sign(_ claims: CheckpointClaims) throws(SigningError) -> String {
        var text = TokenBuffer(capacity: 512)
        text.append(header)
        text.append(base64URL: claims.json())
        let signature = try SigningKey.edDSA(key).signature(for: text.bytes)
        text.appendDot()
        text.append(base64URL: signature)
        return text.text
    }

    /// Returns the claims of a checkpoint that this server signed.
    package func read(_ text: String) throws(TokenError) -> CheckpointClaims {
        try CheckpointClaims(try parse(text).claims(signedBy: .edDSA(key.publicKey)))
    }

    /// Returns the claims of a line that names this server's key, without a check of its signature.
    ///
    /// The check takes most of the time of ``read(_:)``. Anybody can write such a line: use this only to choose the
    /// lines to read.
    package func readUnverified(_ text: String) throws(TokenError) -> CheckpointClaims {
        try CheckpointClaims(try parse(text).claims())
    }

    private func parse(_ text: String) throws(TokenError) -> UnverifiedToken {
        let unverified = try UnverifiedToken(parsing: text)
        guard unverified.type == TokenType.auditCheckpoint else { throw .wrongType }
        guard unverified.kid == name.text else { throw .unknownKey }
        return unverified
    }

    /// The public key as a JWK (RFC 8037 §2), for people who check exported checkpoints.
    package var publicKey: String {
        var json = JSONWriter(capacity: 256)
        json.object { object in
            object.member("alg", string: SigningAlgorithm.edDSA.rawValue)
            object.member("kid", string: name.text)
            object.member("use", string: "sig")
            for member in VerificationKey.edDSA(key.publicKey).requiredMembers {
                object.member(member.name, string: member.value)
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
