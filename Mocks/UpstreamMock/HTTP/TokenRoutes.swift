import FoundationEssentials
import HTTPTypes
import Hummingbird
import Kernel

/// The token endpoint (RFC 6749 §3.2): nothing without the secret, in the form or in HTTP Basic.
struct TokenRoutes: Sendable {
    let backend: UpstreamMockBackend
    let gate: UpstreamGate

    func add(to router: Router<UpstreamMockContext>) { router.post("/token", use: trade) }

    @Sendable private func trade(_ request: Request, _ context: UpstreamMockContext) async throws -> Response {
        let body = try await request.body.collect(upTo: 65_536)
        let form = UpstreamForm(String(buffer: body))
        let basic = Self.basic(request.headers[.authorization])
        let call: UpstreamCall = form["grant_type"] == "refresh_token" ? .refresh : .token
        return try await gate.serve(call, context) { fault in
            do throws(UpstreamMockState.Refusal) {
                guard fault != .expired else { throw .invalidGrant }
                return Self.reply(try tokens(form, basic))
            } catch {
                return .json(
                    #"{"error":"\#(error.rawValue)"}"#,
                    error == .invalidClient ? .unauthorized : .badRequest
                )
            }
        }
    }

    private func tokens(
        _ form: UpstreamForm,
        _ basic: (String, String)?
    ) throws(UpstreamMockState.Refusal) -> UpstreamMockState.Tokens {
        let inputs = backend.inputs
        return try backend.with { state, now throws(UpstreamMockState.Refusal) in
            state.note(tokenParameters: form.names)
            try state.checkClient(basic?.0 ?? form["client_id"], basic?.1 ?? form["client_secret"])
            switch form["grant_type"] {
            case "authorization_code":
                guard let code = form["code"] else { throw .invalidRequest }
                return try state.redeem(
                    code,
                    redirectURI: form["redirect_uri"],
                    verifier: form["code_verifier"],
                    at: now,
                    inputs
                )
            case "refresh_token":
                guard let token = form["refresh_token"] else { throw .invalidRequest }
                return try state.refresh(token, at: now, inputs)
            default: throw .unsupportedGrantType
            }
        }
    }

    private static func reply(_ tokens: UpstreamMockState.Tokens) -> UpstreamReply {
        .json(
            """
            {"access_token":"\(tokens.access)","token_type":"Bearer","expires_in":\(tokens.seconds),\
            "refresh_token":"\(tokens.refresh)","scope":"profile","id_token":"not.for.apps"}
            """
        )
    }

    /// RFC 7617 §2; both parts were encoded as in a form (RFC 6749 §2.3.1).
    private static func basic(_ header: String?) -> (String, String)? {
        guard let header, header.lowercased().hasPrefix("basic "),
            let data = Data(base64Encoded: String(header.dropFirst(6)))
        else { return nil }
        let parts = String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let form = UpstreamForm("u=\(parts[0])&p=\(parts[1])")
        return (form["u"] ?? "", form["p"] ?? "")
    }
}
