import Kernel
package import Sessions

extension Settings {
    /// Returns the refresh policy of a client's sessions; `nil` for a client that the config no longer has.
    package var refreshPolicy: @Sendable (String) -> RefreshPolicy? {
        let policies = Dictionary(clients.map { ($0.id, $0.refreshPolicy) }, uniquingKeysWith: { first, _ in first })
        return { policies[$0] }
    }
}

extension ClientSettings {
    package var refreshPolicy: RefreshPolicy {
        RefreshPolicy(
            rotation: refresh,
            idleLifetime: refreshTokenLifetime,
            absoluteLifetime: sessionLifetime,
            keySessions: keyRefresh
        )
    }
}
