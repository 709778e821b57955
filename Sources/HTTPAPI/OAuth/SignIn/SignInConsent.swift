import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import Web

extension SignInPageAPI {
    /// Returns the page that asks the person for consent to the scopes.
    func ask(for scopes: ScopeSet, _ signIn: SignInContext) async throws -> Response {
        guard let person = signIn.person, let profile = try await browser.profile(of: person) else {
            throw InteractionEndedError()
        }
        let consent = SignInPages.Consent(
            scopes: Self.sentences(for: scopes, signIn),
            person: profile.email?.text ?? profile.username?.shown ?? profile.account.displayName,
            address: Self.destination(signIn.interaction.request.target.redirectURI),
            mark: secrets.mark(of: person, in: signIn.id).expose()
        )
        return pages.consent(consent, of: signIn.client, at: signIn.location, in: signIn.texts)
    }

    /// `POST /oauth/sign-in/{id}/consent`: the person named on the page agrees.
    func consent(_ request: Request, _ context: APIContext) async throws -> Response {
        try await post(request, context) { signIn in
            let mark = try await FormBody.field("as", of: request)
            // Another person has signed in since, in another tab: the page asks that person next.
            guard case .consent = try await step(of: signIn), let person = signIn.person,
                Secret(mark ?? "") == secrets.mark(of: person, in: signIn.id)
            else { return pages.onward(to: signIn.location.page, at: signIn.location, in: signIn.texts) }
            guard try await service.consent(signIn.id, by: person) else { throw InteractionEndedError() }
            return pages.onward(to: signIn.location.page, at: signIn.location, in: signIn.texts)
        }
    }

    /// `POST /oauth/sign-in/{id}/cancel`: the person refuses, and the client gets `access_denied`.
    func cancel(_ request: Request, _ context: APIContext) async throws -> Response {
        try await post(request, context) { signIn in
            if let faces, let operation = signIn.interaction.operation {
                _ = try await faces.service.cancel(Digest256(sha256: operation), faces.caller(signIn, request))
            }
            guard let answer = try await service.cancel(signIn.id) else { throw InteractionEndedError() }
            let response = AnswerResponse.make(answer, in: signIn.texts)
            guard let address = response.headers[.location] else { return response }
            return pages.onward(to: address, at: signIn.location, in: signIn.texts)
        }
    }

    /// Returns a sentence for each scope and resource.
    ///
    /// Returns none for a first-party client, unless it asks for consent: its page only asks the person to continue.
    private static func sentences(for scopes: ScopeSet, _ signIn: SignInContext) -> [String] {
        let request = signIn.interaction.request
        guard !signIn.client.origin.isFirstParty || request.demands.prompts.contains(.consent) else { return [] }
        return ScopeSentences.of(scopes, request.resources, in: signIn.texts)
    }

    /// Returns the host of an address, or the scheme of an app's own address.
    private static func destination(_ address: String) -> String {
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard ["https:", "http:"].contains(parts[0].lowercased()), parts.count > 2 else {
            return String(address.prefix { $0 != ":" }) + ":"
        }
        return String(parts[2])
    }
}
