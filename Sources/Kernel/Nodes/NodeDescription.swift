/// What a daemon tells the others of itself.
package struct NodeDescription: Sendable, Equatable {
    /// The program's version, for operators.
    package let version: String
    /// A digest of the settings in which all daemons have to agree.
    package let config: String
    /// The name of the key with which it encrypts rows.
    package let encryptionKey: String

    package init(version: String, config: String, encryptionKey: String) {
        self.version = version
        self.config = config
        self.encryptionKey = encryptionKey
    }
}
