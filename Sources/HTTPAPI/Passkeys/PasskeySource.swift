import Hummingbird
package import Kernel
import Operations

/// Where a request about a passkey comes from: what it may ask how often, and what its open challenges are counted by.
package struct PasskeySource: Sendable {
    private let limits: PasskeyLimits?
    private let addresses: ClientAddresses
    private let key: Secret

    /// `limits`: none where it is `nil`, for benches; `key`: of this process, so that no row tells an address.
    package init(limits: PasskeyLimits?, addresses: ClientAddresses, key: Secret) {
        self.limits = limits
        self.addresses = addresses
        self.key = key
    }

    func admit(_ kind: PasskeyLimits.Kind, _ request: Request, _ context: APIContext) throws(Problem) {
        try limits?.admit(kind, from: addresses.client(of: request, context))
    }

    func digest(_ request: Request, _ context: APIContext) -> Digest256 {
        let address = addresses.client(of: request, context)?.counted.bytes ?? []
        return Digest256(sha256: Array(key.expose().utf8) + address)
    }
}
