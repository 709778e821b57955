extension PostgresAddress {
    /// The absolute paths of the certificates, the revocations and the key that are named, by their parameters in order.
    package var files: [(parameter: String, path: String)] {
        Self.paths.compactMap { name in further[name].map { (parameter: name, path: $0) } }
    }
}
