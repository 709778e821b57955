import Hummingbird
package import Kernel
import Operations
package import Passkeys

/// Where a request about a passkey comes from: what it may ask how often, and what its open challenges are counted by.
package struct PasskeySource: Sendable {
    private let limits: PasskeyLimits?
    private let addresses: ClientAddresses
    private let gate: AddressGate
    private let key: Secret

    /// `limits`: none where it is `nil`, for benches; `key`: of this process, so that no row tells an address.
    package init(limits: PasskeyLimits?, addresses: ClientAddresses, gate: AddressGate, key: Secret) {
        self.limits = limits
        self.addresses = addresses
        self.gate = gate
        self.key = key
    }

    func admit(_ kind: PasskeyLimits.Kind, for request: Request, in context: APIContext) throws(APIError) {
        try limits?.admit(kind, from: addresses.client(of: request, context))
    }

    /// Goes on where ``admit(_:for:in:)`` would, and takes nothing.
    func check(_ kind: PasskeyLimits.Kind, for request: Request, in context: APIContext) throws(APIError) {
        try limits?.check(kind, from: addresses.client(of: request, context))
    }

    /// Takes one of the accounts that the address may open, if that is what the answer does.
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

/// Ceremonies as requests begin them: for which relying party, from where, and with which service.
package struct PasskeyCeremonies: Sendable {
    let service: PasskeyService
    let site: PasskeySite
    let source: PasskeySource

    package init(service: PasskeyService, site: PasskeySite, source: PasskeySource) {
        self.service = service
        self.site = site
        self.source = source
    }

    /// What a request begins; `rpID`: that which it asks for, else the usual one.
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

    /// A sign-in that asks for nothing but the usual; `name`: whose, `nil` for whoever answers.
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
