import Kernel
import Operations
package import SignIn

/// The face by which somebody has approved, as it stands when the session is opened.
package struct CollectedFaces: Sendable {
    private let descents: any DescentStore

    package init(descents: any DescentStore) { self.descents = descents }

    /// Keeps by which face the session was opened, and links it to the sign-in in which that face was set up.
    func link(_ collected: CollectedSignIn, in transaction: borrowing Transaction) throws {
        try descents.link(
            collected.session,
            toFaceAt: collected.provider.text,
            of: collected.account,
            in: transaction
        )
    }
}
