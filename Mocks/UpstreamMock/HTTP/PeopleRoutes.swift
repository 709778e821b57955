import HTTPTypes
import Hummingbird
import Kernel
import MockServing

/// The servers behind the authorization server: the directory that finds a token's person, and the data server.
struct PeopleRoutes: Sendable {
    let backend: SharedState<UpstreamMockState>
    let gate: MockGate<UpstreamMockState>

    func add(to router: Router<MockContext>) {
        router.get("/UCP_SCIF_XML/UserManagement/GetPersonalInformation", use: lookUp)
        router.get("/esb/people/{person}/data", use: data)
    }

    @Sendable private func lookUp(_ request: Request, _ context: MockContext) async throws -> Response {
        let token = request.bearer
        return try await gate.serve(.lookup, context) { fault in
            let person = backend.with { state, now in state.person(behind: token, at: now) }
            guard let person, fault != .expired else {
                return .error("access_token expired", .unauthorized)
            }
            let status = person.isActive && fault != .inactive ? "ACTIVE" : "CLOSED"
            return .xml(
                """
                <PersonalInformation xmlns="urn:example:scif">
                  <BPId>\(Markup.escape(person.id))</BPId>
                  <Status>\(status)</Status>
                  <Email>\(Markup.escape(person.email))</Email>
                </PersonalInformation>
                """
            )
        }
    }

    @Sendable private func data(_ request: Request, _ context: MockContext) async throws -> Response {
        let id = context.parameters.get("person") ?? ""
        return try await gate.serve(.data, context) { fault in
            guard let person = backend.with({ state, _ in state.person(id) }) else {
                return .error("unknown", .notFound)
            }
            guard person.isAllowed, fault != .forbidden else { return .error("forbidden", .forbidden) }
            return .json(#"{"source":"upstream","person":"\#(person.id)","invoices":[{"number":1,"total":"12.50"}]}"#)
        }
    }
}
