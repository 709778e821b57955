/// The enrolled face that an account signs in with at a provider, as its sessions record it.
package struct FaceInForce: Sendable, Equatable {
    /// The mark of this face, which changes when the face is set up again or withdrawn.
    package let mark: String
    /// The session in which it was set up; `nil` if that is not recorded.
    package let origin: SessionID?

    package init(mark: String, origin: SessionID?) {
        self.mark = mark
        self.origin = origin
    }
}
