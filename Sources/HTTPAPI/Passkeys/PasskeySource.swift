import Hummingbird
import Kernel
import Operations
import Passkeys

/// The network source of passkey requests, by which requests and open challenges are counted.
struct PasskeySource: Sendable {
    let limits: PasskeyLimits?
    let addresses: ClientAddresses
    let gate: AddressGate
    /// The key of all daemons by which addresses are hashed, so that no row reveals an address.
    let key: Secret

    func admit(_ kind: PasskeyLimits.Kind, for request: Request, in context: APIContext) async throws(APIError) {
        try await limits?.admit(kind, from: addresses.client(of: request, context))
    }

    /// Throws if ``admit(_:for:in:)`` would throw, and counts nothing.
    func check(_ kind: PasskeyLimits.Kind, for request: Request, in context: APIContext) async throws(APIError) {
        try await limits?.check(kind, from: addresses.client(of: request, context))
    }

    /// Counts a new account against the request's address, if the checked answer opens one.
    /// - Throws: ``LimitExceededError``, ``StoreError``.
    func admit(_ checked: CheckedRegistration, for request: Request, in context: APIContext) async throws {
        guard checked.account == nil else { return }
        try await gate.admit(.registrationsPerAddress, for: request, in: context)
    }

    func digest(_ request: Request, _ context: APIContext) -> Digest256 {
        let address = addresses.client(of: request, context)?.counted.bytes ?? []
        return Digest256(sha256: Array(key.expose().utf8) + address)
    }
}

/// Begins the passkey ceremonies of requests.
struct PasskeyCeremonies: Sendable {
    let service: PasskeyService
    let site: PasskeySite
    let source: PasskeySource

    /// Returns the ceremony that a request begins, with the default RP ID unless `rpID` names another.
    func ceremony(
        rpID: String? = nil,
        boundTo binding: ChallengeBinding,
        verification: UserVerificationRequirement,
        _ request: Request,
        _ context: APIContext
    ) -> PasskeyCeremony {
        PasskeyCeremony(
            rpID: rpID ?? site.rpID,
            userVerification: site.verification(verification),
            binding: binding,
            source: source.digest(request, context)
        )
    }

    /// Returns a sign-in with the default options; without a `name` any passkey may answer.
    func signIn(
        as name: String? = nil,
        boundTo binding: ChallengeBinding,
        verification: UserVerificationRequirement = .preferred,
        _ request: Request,
        _ context: APIContext
    ) -> SignInByPasskey {
        let ceremony = ceremony(boundTo: binding, verification: verification, request, context)
        return SignInByPasskey(ceremony: ceremony, name: name)
    }
}
