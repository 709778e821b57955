import Crypto
import CryptoExtras
import Foundation
import Kernel
import Testing
import X509

@testable import Passkeys

/// Attestations by RSA keys whose private half anybody can compute (CVE-2017-15361): here it was.
struct FactorableKeyTests {
    /// A private key (RFC 8017 §A.1.2) of two primes `k·M + (65537^a mod M)`, as `ROCAFingerprintTests` says.
    private static let broken = """
        MIIEpAIBAAKCAQEApmxSlUE20P9a0G70uN-9Hj88aQ2sOcbJjtn5-fhswLEsrVkn-a8HosPZyjW3mIWnwMznOX8icwaoGb0D5-Ih\
        JnGpi1F39qO_TbqoSe-4H8ttL4FIepS5fHmCjPE5_vPSXU9P6JO_l0u2JaHJn9P5ayHKuSjFBJ3HfzIMrHXISGoNDnaQf7MvpZh8\
        VmMDxuxD8OjrmU7Mee5xeOPAa3JpYP9Q8wwsyuPIyNBipr_P-Gc5yEVsgs_ryH6xn00QgSfPldthgbjApXegrUuX8x0rtc9LlwUa\
        SmMVpFVayqmtKAqwNnV0Y9JOIHouEi17e2ygSYeopDzyZ2tG0omdkmfUGwIDAQABAoIBADpnhn3h0pJ7IwxF_DVLM8wDJji59yiZ\
        lk-_OKaco9Hl-8dkJA7Qea4J7Is12dY5hZs4bac0cksK2YCa4F2G8tpShk0hzKduZOsq5_d2nNfvpMRIqz51pjjETegXmiJawAdG\
        F8WH4HOAuw4u3prsIbqSs9nSMH5DvujpECCP_zdGC6m2LwjL__Pnbg9QJoDSJ6n_HXBGSkAviE6c9ENsl4nRelbcbLJ5zNoBxpk2\
        NZfPYN2yW2UKRT6Phy9oB_TQJOI9mn98nvnjdXIjlxYNVPyzJBaS_in1hJsXkEqXjtXRr7tiaFO5mJCRvC-weRRkcFJE1TuCwesx\
        BCYpXYH1QhUCgYEAzuYUnmDj28ZD_CVZLIpI-79GK0tExilE4pus03jzjXtGYD6CwCQ9NzFz_ZWde2SwvBLpF4B14eueiqKiF_ke\
        3OvQSsavdT0dwgac2ps3nQjzIqzWKyJfOjgEf65nqsOQYTfo7vvleikNA7vZfOqNWMOc0KrLjdAQs856t5MyEvUCgYEAzeswFrfe\
        D9ZSM-HrU_v3ggypf0ImKDxwuCbYvTnPt9ty2T_F6GoBVIZinZxkYzawRFzDeTURGgJ9Gm0_JkTh6RIkovh3FoUllz28kSW8usTg\
        6jxMi3K__h8sPL3LIQOsjUfjK8wGLjIMYZztn2C7V3RRaxti1EhWfbiMKq-wgM8CgYBdo5o_WACobiJE0y55zxha_-WlIIq-2Ny5\
        ZtWgXER2iw1976zDg2NFQJeLdJRyzU6DwFdIcLZpincVraeJDBHg0MVTonq0p_V44_9HnSpdYziPQAQqP4Mz2TiIBQocKiiFJ4W_\
        67efQ0cFopY7R_iy7M1jT3mS9FEq38-AmBj4pQKBgQC9znEYL8l_vaUt76vUUSf29ybxh47WfcfE5wHXgkdmiOBXQoJxVez99ZVH\
        BJZAIXPev8bqnbCy0eJxDowsAUhfZvrgQbi7yGU7AIwlGqzZV4qePpCr5Uz1t9Q19RgcyV8vJzlN8JUt1bI188nQpABrf2thF_BE\
        Dp2y6v5AhotiXwKBgQC635h791NDoarejse9DGbh_TpcHrUzOi5nXiotDiirXLmvoe9qqftNT-vdkU_6uRpf_Zaiwh9e8DEpndO6\
        jROxD5_dG8szJsL_WExEDdC-FV50AbLjQGCP5ltFNVkJOG4lp7CVMUz8b06Sj-Ee1p_J1L5OwJejATNgtspN85xNXA
        """

    private let format = PackedFormat()
    private let credential = TestCredential()

    @Test func `attack: a statement signed with a ROCA certificate key is refused`() throws {
        let broken = try Self.key()
        #expect(ROCAFingerprint.isPresent(in: try broken.publicKey.getKeyPrimitives().modulus))
        let sound = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        for isPSS in [false, true] {
            #expect(format.fault(try statement(by: broken, isPSS: isPSS)) == .certificateUnreadable)
            #expect(format.fault(try statement(by: sound, isPSS: isPSS)) == nil, "the same by a sound key")
        }
        let key = CertificateKey(Certificate.PublicKey(broken.publicKey))
        let message = credential.signedBytes
        let sha1 = try broken.signature(for: Insecure.SHA1.hash(data: message), padding: .insecurePKCS1v1_5)
        #expect(throws: AttestationError.certificateUnreadable) {
            try key.checkRS1(Array(sha1.rawRepresentation), over: message)
        }
    }

    @Test func `attack: a credential with a ROCA key is refused as unreadable`() throws {
        let modulus = Array(try Self.key().publicKey.getKeyPrimitives().modulus)
        #expect(throws: COSEKeyError.rsaNumbers) { try COSEKey(TestCredential.cose(modulus: modulus)) }
    }

    private static func key() throws -> _RSA.Signing.PrivateKey {
        try _RSA.Signing.PrivateKey(derRepresentation: Data(try #require(Base64URL.decode(broken))))
    }

    /// A statement with the key's certificate, and its signature over the credential.
    private func statement(by key: _RSA.Signing.PrivateKey, isPSS: Bool) throws -> AttestationInput {
        let certificate = try TestAuthority().issue(.packed(), to: Certificate.PublicKey(key.publicKey))
        let digest = SHA256.hash(data: credential.signedBytes)
        let signature = try key.signature(for: digest, padding: isPSS ? .PSS : .insecurePKCS1v1_5)
        // COSE: RS256 is -257, PS256 is -37 (RFC 8812 §2, RFC 8230 §2).
        let algorithm: UInt64 = isPSS ? 36 : 256
        return try credential.input(
            "packed",
            [
                "alg": .negative(algorithm), "sig": .bytes(Array(signature.rawRepresentation)),
                "x5c": .array([.bytes(try certificate.der())]),
            ]
        )
    }
}
