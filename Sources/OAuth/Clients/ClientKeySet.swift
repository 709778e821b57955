/// The public keys of a client (RFC 7591 §2, `jwks`): what its assertions and its request objects are signed with.
package struct ClientKeySet: Sendable, Equatable {
    /// The document as it was registered.
    package let document: String

    package init(document: String) { self.document = document }
}
