package import TokenReading

/// The rules for new keys and rotations.
package struct KeyRingPolicy: Sendable, Equatable {
    /// The algorithm of new keys.
    ///
    /// Existing keys of another algorithm stay in use until they are rotated out.
    package var algorithm: SigningAlgorithm
    /// How long a next key is published before it signs.
    ///
    /// This is longer than verifiers cache a key set.
    package var announcement: Duration
    /// How long a key signs; with `nil`, the operator rotates keys.
    package var rotation: Duration?

    package init(algorithm: SigningAlgorithm, announcement: Duration, rotation: Duration?) {
        self.algorithm = algorithm
        self.announcement = announcement
        self.rotation = rotation
    }
}
