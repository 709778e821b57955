package import TokenReading

/// How keys follow on each other.
package struct KeyRingPolicy: Sendable {
    /// The algorithm of new keys; a ring with keys of another one keeps them until they have had their turn.
    package let algorithm: SigningAlgorithm
    /// The longest lifetime of any token that is signed with the ring, and a little for clocks that were set back.
    package let longestToken: Duration
    /// How long a next key is published before it signs: longer than verifiers keep a key set.
    package let announcement: Duration
    /// How long a key signs; `nil` leaves it to the operator.
    package let rotation: Duration?

    package init(algorithm: SigningAlgorithm, longestToken: Duration, announcement: Duration, rotation: Duration?) {
        self.algorithm = algorithm
        self.longestToken = longestToken
        self.announcement = announcement
        self.rotation = rotation
    }
}
