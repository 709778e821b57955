package import Accounts
import Kernel
import Operations
package import SignIn

/// The face by which somebody has approved, as it stands when the session is opened.
package struct CollectedFaces: Sendable {
    private let enrolments: any EnrolmentStore
    private let descents: any DescentStore

    package init(enrolments: any EnrolmentStore, descents: any DescentStore) {
        self.enrolments = enrolments
        self.descents = descents
    }

    /// Whether the face was not withdrawn since its scan began.
    func isInForce(_ collected: CollectedSignIn, in transaction: borrowing Transaction) throws -> Bool {
        try enrolments.find(collected.account, at: collected.provider.text, in: transaction)?.isActive == true
    }

    /// Links the session to the sign-in in which the face was set up.
    func link(_ collected: CollectedSignIn, in transaction: borrowing Transaction) throws {
        try descents.link(
            collected.session,
            toFaceAt: collected.provider.text,
            of: collected.account,
            in: transaction
        )
    }
}
