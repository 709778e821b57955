import HTTPTypes
import Hummingbird
import Kernel
import MockServing

/// What lies behind the authorization server: the directory that knows whose token it is, and the server with the data.
struct PeopleRoutes: Sendable {
    let backend: UpstreamMockBackend
    let gate: UpstreamGate

    func add(to router: Router<MockContext>) {
        router.get("/UCP_SCIF_XML/UserManagement/GetPersonalInformation", use: lookUp)
        router.get("/esb/people/{person}/data", use: data)
    }

    @Sendable private func lookUp(_ request: Request, _ context: MockContext) async throws -> Response {
        let header = request.headers[.authorization] ?? ""
        return try await gate.serve(.lookup, context) { fault in
            let token = header.hasPrefix("Bearer ") ? String(header.dropFirst(7)) : ""
            let person = backend.with { state, now in state.person(behind: token, at: now) }
            guard let person, fault != .expired else {
                return .json(#"{"error":"access_token expired"}"#, .unauthorized)
            }
            let status = person.isActive && fault != .inactive ? "ACTIVE" : "CLOSED"
            return .xml(
                """
                <PersonalInformation xmlns="urn:example:scif">
                  <BPId>\(MockForm.markup(person.id))</BPId>
                  <Status>\(status)</Status>
                  <Email>\(MockForm.markup(person.email))</Email>
                </PersonalInformation>
                """
            )
        }
    }

    @Sendable private func data(_ request: Request, _ context: MockContext) async throws -> Response {
        let id = context.parameters.get("person") ?? ""
        return try await gate.serve(.data, context) { fault in
            guard let person = backend.with({ state, _ in state.person(id) }) else {
                return .json(#"{"error":"unknown"}"#, .notFound)
            }
            guard person.isAllowed, fault != .forbidden else { return .json(#"{"error":"forbidden"}"#, .forbidden) }
            return .json(#"{"source":"upstream","person":"\#(person.id)","invoices":[{"number":1,"total":"12.50"}]}"#)
        }
    }
}
