import Testing

@testable import Kernel

/// The trace of faulty RSA key generation (CVE-2017-15361).
struct ROCAFingerprintTests {
    /// Made by the structure that the paper describes: two primes `k·M + (65537^a mod M)`.
    ///
    /// `M` is the product of the first 126 primes for 2048 and 3072 bits, and of the first 225 for 4096.
    private static let broken = [
        """
        7OvERII2D4tIHazT8Gfd5iBvcYWT9xYBe3Lg2-iFYbbUzDZROfkqCgnqbNkLQGfjr5y8uuqR_Bw8xz3tDx7wdmgjeTLWNkA3vpVe\
        S1mKr4Cc-f4S2mxH98kOVaCA71-ZD5TlL1LrupCqdSqHfhmNJ_t5fYz9_UUX6xXP0_WaQhF9ShwoF0ki-_O2k2oQy7-vDLLYqr7N\
        n2wy9A5_lbpqyNOVRF_YimN1HeXx3Tep_mJHRQ8CIaLibXkcQsAgI0YwqYhP0tdQkoPQ5YadOe1iO7ptquWoN8YORrkMycASd-lh\
        lXgsbnPODK26f5SNmQGJ20s72tAPB8LJMJVG9k_x4w
        """,
        """
        y3lWPepYBj5uuAXCI9s8Evd5Uz3geci8ua3HnCb3qbG21qBEAeBS69GUbvtAuew0odvJblvUMY5UWW1ZVyOrUsY4HsvdhmaFm_lj\
        8hofGFMIGCfeojbfXOP9rU7he7kCWp_DtvkwyHCE7AEz0lgUq1orof2Ecv9nisa2JZXwsx1Rb22lj4Ht7YcVMj0yRJMH4YuIVfOj\
        s2_91Il5j1hDm4qtaQYRSK7pU7-JqVsE36Rn08aYRTHLEJyqfC1v-1l-d7NbNQW-j5O5Jw3kd4ekoc1BdQiQ01T9HpAKZAWJoOcz\
        sK2edwF3PKbfLOWwvjSkBb3rOpj9PtvRta1mJ2JSojw616mhLG8deDM4uQa9f-6Ir5eChnnu8MHi_lXprOpgipvmDuJKvUyXQDZn\
        CBylwa1Jvl0TrCDTfTXZlLBEb4BocOHzvBXLC4xlV3D18qw7KDdCkf9paiQOEOx3GdOVeBBgK4XkpYQI-zV-4BPHVOq84WCckcto\
        FGnjXJZEw2SX
        """,
        """
        rZXNCnE2f05aaikGNHbu3JBw5uKpnKs7nMdqQP1rGJ9aSXUHEL5HlIL43qrjzhfKcPiuOnrJ3Z8rrQS2C1vF8WW7dRRPbx2lJ3o3\
        QQW09dl5iaiJ7ubwa2AotuNnClzcbH1yx-V3KUE-hn_JfP75J5yZMtPIdq2fH1q3gHycUC-L-Dk5IJbLzqYix_Fo_X_oBINCA5rr\
        0F8SnhXp0QOUjyAyIoMElIMZe0gddYaT2HgLbm50Tz2rfr1FoFJRfVuH8O_Ua3rV8KY9Y2XMdG21GxN-TQOXrZBjKimdILKNFWu2\
        bBC9io5rAr875O1IB90viDfahkPtPbk9La3v5MESsB70N_sTK0So3g0T4SqHM0S4Q8f5M7J2PQKi-zNZk3Q4wdZtxRppu8mwRWua\
        Ra-jf-aYNbIIQvXI5_odEdIKJa75glnpwV1Qk0gzOIKxeyYB7Cy2dcB1dxWmuYRDTqBoUjFn4kJq9EA_S4we5W9ZUC1BcKI4KCW0\
        lZp_pQs8DA4xoGLiAOsZf6WUAquV6eoOwTXmWySPwHPMckt9AfXDFwgpmA9pek4LfoPmsygGhIF6978axDFhitnJfSIg59RjA-k9\
        fzEwCN_bUAcb-_kpmQQt99LkdcVg2jJnP5MVxG0V9XUf7wwFcSTPqe8K5fjfeIMfjn8nehU7tRwRJqAnhkc
        """,
    ]

    /// The modulus of RSA-2048, of the factoring challenge: sound.
    private static let sound = """
        x5cM7tzDsHVEkCAaeqYTzXOREIHHkPXxqHJvRjVQu1t_8NuOHqEYnscvk9FlABG9chrurMKs3jKgQQfwZIwoE6MfWwt3Zf-LRLS2\
        _8kzhLZG6wnHz16FktQOozyAA581tPFKBLUfe_14G-TRZzFkuo65kcLE1zC7vjX1kr3vUkr36Nrv0mxm_ALEea-J1k03P0QnCUOd\
        5mzrlV8-o31RWfYTWAn4UzS1yxgTrdyAzQVgnxCsapWtZYcskJUlva0yvHKVkmQpIPJMYdxbPDt5I-VrFqTZ03PYch8ko_wPGzEx\
        9VYVFyhmvMww-VBUyCTnM6XraBf3vBY5nUjGNhzH5Q
        """

    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }

    // T-126, O-080
    @Test(arguments: broken)
    func `attack: a ROCA modulus is detected at every key size`(_ text: String) throws {
        let modulus = try bytes(text)
        #expect(ROCAFingerprint.isPresent(in: modulus))
        #expect(ROCAFingerprint.isPresent(in: [0, 0] + modulus), "leading zeros change no number")
    }

    @Test(arguments: broken)
    func `a modulus beside a broken one is not found`(_ text: String) throws {
        var modulus = try bytes(text)
        let last = modulus.count - 1
        for bit in 1...6 {
            modulus[last] ^= 1 << UInt8(bit)
            #expect(!ROCAFingerprint.isPresent(in: modulus), "\(bit)")
            modulus[last] ^= 1 << UInt8(bit)
        }
    }

    @Test func `a sound modulus is not found`() throws {
        #expect(!ROCAFingerprint.isPresent(in: try bytes(Self.sound)))
        var generator = SystemRandomNumberGenerator()
        let found = (0..<2000).count { _ in
            ROCAFingerprint.isPresent(in: (0..<256).map { _ in UInt8.random(in: 0...255, using: &generator) })
        }
        #expect(found == 0, "one in 240 million")
    }
}
