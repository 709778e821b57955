import Hummingbird
package import Kernel
import Operations
import Passkeys

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

    func admit(_ kind: PasskeyLimits.Kind, _ request: Request, _ context: APIContext) throws(APIError) {
        try limits?.admit(kind, from: addresses.client(of: request, context))
    }

    /// Goes on where ``admit(_:_:_:)`` would, and takes nothing.
    func check(_ kind: PasskeyLimits.Kind, _ request: Request, _ context: APIContext) throws(APIError) {
        try limits?.check(kind, from: addresses.client(of: request, context))
    }

    /// Takes one of the accounts that the address may open, if that is what the answer does.
    /// - Throws: ``LimitExceeded``.
    func admit(_ checked: CheckedRegistration, _ request: Request, _ context: APIContext) throws {
        guard checked.account == nil else { return }
        try gate.admit(.registrationsPerAddress, request, context)
    }

    func digest(_ request: Request, _ context: APIContext) -> Digest256 {
        let address = addresses.client(of: request, context)?.counted.bytes ?? []
        return Digest256(sha256: Array(key.expose().utf8) + address)
    }
}
