package import Admin
import FaceProviders
package import Operations
package import Settings

extension Settings {
    /// Returns the configured providers as operators see them; `health` is empty while no daemon runs.
    package func providerViews(health: [ProviderName: Bool]) -> [ProviderView] {
        providers.sorted { $0.key < $1.key }.map { name, provider in
            ProviderView(
                name: name,
                kind: provider.kind,
                host: PageOrigin.of(provider.baseURL)?.split(separator: "/").last.map(String.init) ?? "-",
                state: health[ProviderName(name)].map { $0 ? "ok" : "degraded" }
            )
        }
    }
}
