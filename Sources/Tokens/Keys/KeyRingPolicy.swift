package import TokenReading

/// How keys follow on each other.
package struct KeyRingPolicy: Sendable, Equatable {
    /// The algorithm of new keys; a ring with keys of another one keeps them until they have had their turn.
    package var algorithm: SigningAlgorithm
    /// How long a next key is published before it signs: longer than verifiers keep a key set.
    package var announcement: Duration
    /// How long a key signs; `nil` leaves it to the operator.
    package var rotation: Duration?

    package init(algorithm: SigningAlgorithm, announcement: Duration, rotation: Duration?) {
        self.algorithm = algorithm
        self.announcement = announcement
        self.rotation = rotation
    }
}
