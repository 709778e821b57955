import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import Web

extension SignInPageAPI {
    /// `POST /oauth/sign-in/{id}/face`: begins a scan for a known or unknown e-mail address.
    ///
    /// Redirects to the page that waits for the scan.
    func startFace(_ request: Request, _ context: APIContext) async throws -> Response {
        try await post(request, context) { signIn in
            guard let faces, try await takes(.face, signIn) else { return next(signIn) }
            let form = try await SignInForm(request)
            guard let email = Self.email(form.field("email")) else { return try await identify(again: form, signIn) }
            let begun = try await faces.begin(request, context, for: email, mode: form.mode, in: signIn)
            return try await awaitScan(begun, after: form, request, in: signIn)
        }
    }

    /// Returns the redirect to the page that waits for the scan, which becomes that of the interaction.
    func awaitScan(
        _ begun: BegunOperation,
        after form: SignInForm,
        _ request: Request,
        in signIn: SignInContext
    ) async throws -> Response {
        guard let faces, try await service.attach(operation: begun.publicID, to: signIn.id) else {
            throw InteractionEndedError()
        }
        var response = Response.seeOther("wait" + (form.canKeepPasskeys ? "?\(Self.offer)=1" : ""))
        let isSecure = server.isSecure
        response.set(faces.ticketCookie(begun, isSecure: isSecure))
        CompanionCookies.ownLogin(begun.operation, isSecure: isSecure).set(begun.bindingCookie, on: &response)
        if signIn.interaction.request.demands.uiLocales != nil {
            let path = "/go/\(begun.ticket.expose())"
            LanguageCookie.keep(signIn.texts, at: path, isSecure: isSecure, for: request, on: &response)
        }
        return response
    }

    /// `GET /oauth/sign-in/{id}/wait`: the state of the scan.
    ///
    /// After an accepted scan it opens this browser's session. A browser without scripts reloads the page regularly,
    /// and a script reloads it when the stream of ``events(_:_:)`` ends.
    func wait(_ request: Request, _ context: APIContext) async throws -> Response {
        try await show(request, context) { signIn in
            guard let faces, let operation = signIn.interaction.operation else {
                return .seeOther(signIn.location.page)
            }
            let (publicID, caller) = (Digest256(sha256: operation), faces.caller(signIn, request))
            try faces.following.admit(caller, to: publicID, isPoll: true, for: request, in: context)
            guard let view = try await faces.service.poll(publicID, caller) else {
                return .seeOther(signIn.location.page)
            }
            switch view {
            case .pending(let hint, _, let timeLeft):
                let isThere = faces.isOpenedElsewhere(operation)
                let ticket = isThere ? nil : faces.ticket(of: operation, request)
                let scan = ticket.map { "\(server.publicURL)/go/\($0.expose())" }
                let number = isThere ? nil : faces.number(of: operation)
                return pages.wait(
                    .init(hint: hint, timeLeft: timeLeft, scan: scan, number: number, isThere: isThere),
                    of: signIn.client.name,
                    at: signIn.location,
                    in: signIn.texts
                )
            case .failed(let code, _):
                return pages.failed(code, of: signIn.client.name, at: signIn.location, in: signIn.texts)
            case .completed(let grant, let delivery, _):
                let isOffered = request.uri.queryParameters[Self.offer[...]] != nil
                var response = Response.seeOther(signIn.location.page + (isOffered ? "?\(Self.offer)=1" : ""))
                try await faces.openSession(
                    grant,
                    delivery: delivery,
                    in: signIn,
                    for: request,
                    noting: service,
                    on: &response
                )
                // The page has the result, so that it is never delivered again.
                _ = try await faces.service.acknowledge(publicID, caller)
                offers.memory.keep(.face, on: &response)
                return response
            // The page has already collected the result.
            case .delivered, .attested: return .seeOther(signIn.location.page)
            }
        }
    }

    /// `GET /oauth/sign-in/{id}/events`: the state of the scan as a stream, for the page's script.
    func events(_ request: Request, _ context: APIContext) async throws -> Response {
        let signIn = try await scriptContext(request, context)
        guard let faces, let operation = signIn.interaction.operation else { throw APIError.operationNotFound }
        let (publicID, caller) = (Digest256(sha256: operation), faces.caller(signIn, request))
        try faces.following.admit(caller, to: publicID, isPoll: true, for: request, in: context)
        return try await faces.following.stream(of: publicID, to: .caller(caller), for: request, in: context)
    }

    /// Returns the e-mail address; `nil` only for a malformed one: an unknown one is no input error.
    private static func email(_ typed: String) -> String? {
        guard (3...254).contains(typed.utf8.count), typed.contains("@"),
            !typed.unicodeScalars.contains(where: { $0.value < 0x20 })
        else { return nil }
        return typed
    }
}
