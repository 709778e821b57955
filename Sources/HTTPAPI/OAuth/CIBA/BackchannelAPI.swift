import HTTPTypes
import Hummingbird
import Kernel
import OAuth

/// The backchannel authentication endpoint (CIBA Core §7): a client asks for the sign-in of a person who is elsewhere.
struct BackchannelAPI: Sendable {
    let clients: ClientReader
    let reader: BackchannelRequestReader
    let flow: BackchannelFlow
    let publicURL: String
    let environment: Environment

    var routes: [Route] {
        let access = OpenAccess.everybody(accepting: .clientAuthentication)
        return [Route(.post, "/oauth/bc-authorize", access: access, use: begin)]
    }

    /// The answer of CIBA Core §7.3, with the page's link for a client that sends the link itself.
    private struct Acknowledgement: Encodable {
        let authReqID: String
        let expiresIn: Int64
        /// `nil` in push mode (CIBA Core §7.3).
        let interval: Int64?
        /// The page that the person has to open, an extension of the specification.
        let authorizationLink: String

        enum CodingKeys: String, CodingKey {
            case authReqID = "auth_req_id"
            case expiresIn = "expires_in"
            case interval
            case authorizationLink = "authorization_link"
        }
    }

    /// `POST /oauth/bc-authorize`: answers 200 for known and unknown people, and so reveals no account.
    private func begin(_ request: Request, _ context: APIContext) async throws -> Response {
        try await OAuthReply.guarding(request) {
            let form = try await OAuthForm(body: request)
            let authenticated = try await clients.read(request, context, form: form)
            let asked = try reader.read(BackchannelParameters(form), of: authenticated, at: environment.now())
            let (draft, ticket) = try await flow.begin(asked, of: authenticated.client)
            let acknowledgement = Acknowledgement(
                authReqID: draft.authReqID.expose(),
                expiresIn: asked.lifetime.secondsRoundedUp,
                interval: draft.record.delivery == .push ? nil : draft.record.interval.secondsRoundedUp,
                authorizationLink: "\(publicURL)/go/\(ticket.expose())"
            )
            return OAuthReply.tokens(acknowledgement)
        }
    }
}

extension BackchannelParameters {
    init(_ form: OAuthForm) {
        let resources = form.all("resource")
        let names = form.names.subtracting(resources.isEmpty ? [] : ["resource"])
        self.init(
            Dictionary(uniqueKeysWithValues: names.compactMap { name in form[name].map { (name, $0) } }),
            resources: resources
        )
    }
}
