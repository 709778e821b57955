import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import Web

/// The enrolment of a face on the sign-in page, for a person who has signed in there otherwise.
///
/// It replaces no face: whoever has only learned a password or a code must not become another person's face.
struct SignInEnrolments: Sendable {
    /// Whether only an account with a verified address may enrol a face.
    let requiresVerifiedEmail: Bool

    /// Returns whether that person may enrol a face, which is their first.
    func takes(_ record: AccountRecord) -> Bool {
        (record.profile.isEmailVerified || !requiresVerifiedEmail) && !record.enrolments.contains(where: \.isActive)
    }

    /// Begins the enrolment in the session of the proof.
    func begin(
        of proven: Interaction.Proven,
        by faces: SignInFaces,
        _ request: Request,
        _ context: APIContext,
        in signIn: SignInContext
    ) async throws -> BegunOperation {
        guard let session = proven.authentication.session else { throw InteractionEndedError() }
        let following = faces.following
        let starter = Starter(
            account: proven.account,
            session: session,
            device: nil,
            origin: following.origin(showing: "", request, context),
            source: following.source(of: request, context),
            initiator: following.source(of: request, context),
            language: signIn.texts.language
        )
        // The mail about the new face names the client or the page to which the person signs in.
        let policy = try faces.policy(of: signIn).signingIn(to: signIn.client.id, named: signIn.client.name)
        return try await faces.service.beginEnrolment(starter, policy: policy, mayReplace: false)
    }
}

extension SignInPageAPI {
    /// `POST /oauth/sign-in/{id}/enroll`: begins the enrolment of a face, and leads to the page that waits for it.
    ///
    /// An enrolled face proves nothing yet: the person is scanned next.
    func startEnrolment(_ request: Request, _ context: APIContext) async throws -> Response {
        try await post(request, context) { signIn in
            guard let faces, let enrolments = faces.enrolments, let proven = signIn.interaction.proven,
                case .signIn(let needed, _) = try await step(of: signIn),
                offers.settable(needed, for: signIn.client).contains(.face),
                let record = try await browser.record(of: proven.account), enrolments.takes(record),
                try await offers.setUp.isAllowed(to: proven)
            else { return next(signIn) }
            let begun = try await enrolments.begin(of: proven, by: faces, request, context, in: signIn)
            return try await awaitScan(begun, after: try await SignInForm(request), request, in: signIn)
        }
    }
}
