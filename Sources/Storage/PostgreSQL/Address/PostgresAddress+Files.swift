extension PostgresAddress {
    /// The absolute path of the certificates that are trusted to name the server; `nil`: libpq's own default.
    package var rootCertificates: String? { further["sslrootcert"] }
}
