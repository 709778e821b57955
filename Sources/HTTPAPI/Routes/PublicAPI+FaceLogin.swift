import Accounts
import Kernel
import Operations

/// The operations that a face decides: logins, enrolments and approvals.
extension PublicAPI {
    func faceLogin(_ surface: SurfaceConfiguration) -> FaceLoginAPI {
        FaceLoginAPI(
            surface: accountSurface(surface, keepsCookies: true),
            replies: signInReplies,
            callers: callers,
            environment: environment,
            server: server,
            following: following,
            proofs: LandingProofs(
                passkeys: configuration.passkeys.isServed ? ceremonies(.unserved) : nil,
                accounts: AccountProofs(
                    browser: browserProof,
                    links: services.sessions.links,
                    clients: configuration.clients.ids,
                    coolingOff: coolingOff
                ),
                signIn: configuration.oauth.isEnabled ? pageSignIn(.landing) : nil
            ),
            pages: LandingPages(scanOrigins: configuration.faceLogin.scanOrigins, root: server.root)
        )
    }

    var owner: OwnerAPI {
        OwnerAPI(service: services.operations.service, enrolmentPolicy: enrolmentPolicy) {
            [publicURL = server.publicURL, tickets = services.oauth.backchannel.tickets] operation in
            "\(publicURL)/go/\(tickets.ticket(of: operation).expose())"
        }
    }

    var enrolment: EnrolmentAPI {
        EnrolmentAPI(
            service: services.operations.service,
            clients: configuration.clients.directory,
            publicURL: server.publicURL,
            following: SessionFollowing(kind: .enroll, following: following),
            requiresVerifiedEmail: configuration.faceLogin.requiresVerifiedEmail,
            enrolmentPolicy: enrolmentPolicy,
            enrolledSince: enrolledSince,
            environment: environment
        )
    }

    private func enrolledSince(_ id: AccountID) async throws -> Instant? {
        let provider = configuration.faceLogin.provider
        guard let record = try await services.accounts.accounts.active(id),
            record.enrolments.contains(where: { $0.provider == provider && $0.isActive })
        else { return nil }
        // Without a recorded enrolment, the face came with the account or was enrolled long ago: the account's age
        // counts.
        return try await services.operations.service.enrolledAt(id) ?? record.account.createdAt
    }

    var approval: ApprovalAPI {
        ApprovalAPI(
            service: services.operations.service,
            starter: approvalStarter,
            issuer: issuer,
            environment: environment,
            following: SessionFollowing(kind: .approve, following: following),
            body: server.body
        )
    }

    /// Starts approvals, for their own routes and for payments that a face approves.
    var approvalStarter: ApprovalStarter {
        ApprovalStarter(
            service: services.operations.service,
            clients: configuration.clients.directory,
            callers: callers,
            publicURL: server.publicURL,
            following: SessionFollowing(kind: .approve, following: following)
        )
    }
}
