import Hummingbird
package import Kernel
import Operations
package import Passkeys

/// The source of a request about a passkey, by which requests and open challenges are counted.
package struct PasskeySource: Sendable {
    private let limits: PasskeyLimits?
    private let addresses: ClientAddresses
    private let gate: AddressGate
    private let key: Secret

    /// `limits` is `nil` for no limits, as in benchmarks; `key` belongs to this process, so that no row reveals an
    /// address.
    package init(limits: PasskeyLimits?, addresses: ClientAddresses, gate: AddressGate, key: Secret) {
        self.limits = limits
        self.addresses = addresses
        self.gate = gate
        self.key = key
    }

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
package struct PasskeyCeremonies: Sendable {
    let service: PasskeyService
    let site: PasskeySite
    let source: PasskeySource

    package init(service: PasskeyService, site: PasskeySite, source: PasskeySource) {
        self.service = service
        self.site = site
        self.source = source
    }

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
