package import Tokens

/// The administration of signing keys.
package struct KeyAdministration: Sendable {
    let ring: KeyRing
    /// Writes changes of keys to the audit; what can't be written waits, because the key has changed already.
    package var record: @Sendable () async -> Void

    package init(ring: KeyRing, record: @escaping @Sendable () async -> Void) {
        self.ring = ring
        self.record = record
    }
}
