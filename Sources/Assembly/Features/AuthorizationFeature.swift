import HTTPAPI
import Kernel
import OAuth
import Settings
import Tokens

/// Authorization requests: from pushed requests to authorization codes.
struct AuthorizationFeature: Sendable {
    let service: AuthorizationService
    let reader: AuthorizationRequestReader
    let pushed: PushedRequests

    init(
        directory: OAuthClientDirectory,
        hints: any IDTokenHints,
        issuer: String,
        policy: AuthorizationPolicy,
        environment: Environment,
        stores: Stores
    ) {
        let answers = AuthorizationAnswers(issuer: issuer)
        service = AuthorizationService(
            environment: environment,
            unitOfWork: stores.unitOfWork,
            interactions: stores.oauth.interactions,
            codes: stores.oauth.codes,
            consents: stores.oauth.consents,
            answers: answers,
            policy: policy
        )
        reader = AuthorizationRequestReader(clients: { directory.client($0) }, hints: hints, answers: answers)
        pushed = PushedRequests(
            environment: environment,
            unitOfWork: stores.unitOfWork,
            store: stores.oauth.pushedRequests,
            reader: reader,
            lifetime: policy.requestLifetime
        )
    }
}

extension AuthorizationFeature {
    init(_ core: CoreFeature, _ directory: OAuthClientDirectory) {
        self.init(
            directory: directory,
            hints: IdentityHints(
                verifier: TokenVerifier(
                    issuer: core.settings.issuer,
                    ring: core.secrets.ring,
                    folder: core.secrets.folder
                ),
                environment: core.environment
            ),
            issuer: core.settings.issuer,
            policy: core.settings.oauth.authorization,
            environment: core.environment,
            stores: core.stores
        )
    }
}
