import NIOSSL

/// A certificate for localhost that is signed by itself, with its key; both are for these tests alone.
package enum UntrustedCertificate {
    static func context() throws -> NIOSSLContext {
        let certificate = try NIOSSLCertificate(bytes: Array(certificatePEM.utf8), format: .pem)
        let key = try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(certificate)],
                privateKey: .privateKey(key)
            )
        )
    }

    package static let certificatePEM = """
        -----BEGIN CERTIFICATE-----
        MIIBmjCCAUGgAwIBAgIUUOoASSFC4+feilhVsxq6H2l+WBowCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA2NTc0MVoYDzIxMjYxMDI4
        MDY1NzQxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAATjUQK1fzN6E8zcfLYXZxg/IJzjUt5k7LQ8tx3XHgI42q/0t5JBV4YB
        Z1XAG2MspdWxJvpwYwrITApM6U4PnbVbo28wbTAdBgNVHQ4EFgQUiT15tifrWQDh
        Mj+4ZballckJgK4wHwYDVR0jBBgwFoAUiT15tifrWQDhMj+4ZballckJgK4wDwYD
        VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
        zj0EAwIDRwAwRAIgB9syk6KVrmpI9+v/o/IC7d63CYjHGR5qYDtJgvNkHEQCIBDZ
        SdNejVVvRyqOSJzJS+Q6aaJJqSJMSQm5x6vwCE0Z
        -----END CERTIFICATE-----
        """

    package static let keyPEM = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxxQOTL/ph3QHe9ED
        3BFI9UHET0nywz/7Omyl2yfWqTWhRANCAATjUQK1fzN6E8zcfLYXZxg/IJzjUt5k
        7LQ8tx3XHgI42q/0t5JBV4YBZ1XAG2MspdWxJvpwYwrITApM6U4PnbVb
        -----END PRIVATE KEY-----
        """
}
