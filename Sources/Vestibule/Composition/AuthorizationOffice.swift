import Kernel
import OAuth
import Storage

/// All that is done about authorization requests: from what clients push to the codes that they get.
struct AuthorizationOffice: Sendable {
    let desk: AuthorizationDesk
    let reader: AuthorizationRequestReader
    let pushed: PushedRequests
    let interactions: SQLiteInteractionStore
    let codes: SQLiteAuthorizationCodeStore
    let requests: SQLitePushedRequestStore
    let consents: SQLiteConsentStore

    init(
        directory: OAuthClientDirectory,
        hints: any IDTokenHints,
        issuer: String,
        policy: AuthorizationPolicy,
        facts: Facts,
        database: SQLiteDatabase,
        unitOfWork: any UnitOfWork
    ) {
        let answers = AuthorizationAnswers(issuer: issuer)
        interactions = SQLiteInteractionStore(database)
        codes = SQLiteAuthorizationCodeStore(database)
        requests = SQLitePushedRequestStore()
        consents = SQLiteConsentStore(database)
        desk = AuthorizationDesk(
            facts: facts,
            unitOfWork: unitOfWork,
            interactions: interactions,
            codes: codes,
            consents: consents,
            answers: answers,
            policy: policy
        )
        reader = AuthorizationRequestReader(clients: { directory.client($0) }, hints: hints, answers: answers)
        pushed = PushedRequests(
            facts: facts,
            unitOfWork: unitOfWork,
            store: requests,
            reader: reader,
            lifetime: policy.requestLifetime
        )
    }
}
