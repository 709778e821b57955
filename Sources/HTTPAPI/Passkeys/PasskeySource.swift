import Hummingbird
import Kernel
import Operations
import Passkeys

/// The source of a request about a passkey, by which requests and open challenges are counted.
struct PasskeySource: Sendable {
    let limits: PasskeyLimits?
    let addresses: ClientAddresses
    let gate: AddressGate
    /// Belongs to this process, so that no row reveals an address.
    let key: Secret

    func admit(_ kind: PasskeyLimits.Kind, for request: Request, in context: APIContext) throws(APIError) {
        try limits?.admit(kind, from: addresses.client(of: request, context))
    }

    /// Throws where ``admit(_:for:in:)`` would, and counts nothing.
    func check(_ kind: PasskeyLimits.Kind, for request: Request, in context: APIContext) throws(APIError) {
        try limits?.check(kind, from: addresses.client(of: request, context))
    }

    /// Counts a new account of the address, if the answer opens one.
    /// - Throws: ``LimitExceededError``.
    func admit(_ checked: CheckedRegistration, for request: Request, in context: APIContext) throws {
        guard checked.account == nil else { return }
        try gate.admit(.registrationsPerAddress, for: request, in: context)
    }

    func digest(_ request: Request, _ context: APIContext) -> Digest256 {
        let address = addresses.client(of: request, context)?.counted.bytes ?? []
        return Digest256(sha256: Array(key.expose().utf8) + address)
    }
}

/// The ceremonies of requests, with their relying party, their source and their service.
struct PasskeyCeremonies: Sendable {
    let service: PasskeyService
    let site: PasskeySite
    let source: PasskeySource

    /// Returns the ceremony that a request begins; without an `rpID` it has the usual one.
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

    /// Returns a sign-in with the usual options; without a `name` any passkey may answer.
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
