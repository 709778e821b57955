import Glibc
import Testing

/// Skips tests where a ``HostNetwork`` can't be made, and says why.
struct NeedsHosts: SuiteTrait, TestTrait {
    let isRecursive = true

    func prepare(for test: Test) async throws {
        guard let obstacle = await Self.obstacle.value else { return }
        try await ConditionTrait.disabled(Comment(rawValue: obstacle)).prepare(for: test)
    }

    /// The reason why there can be none here; `nil` if there can.
    private static let obstacle = Task { () -> String? in
        guard geteuid() == 0 else { return "it takes root to make network namespaces" }
        guard Programs.isInstalled("ip") else { return "ip is not installed (apt-get install iproute2)" }
        do { try await HostNetwork.use { _ in } } catch { return "network namespaces can't be made here: \(error)" }
        return nil
    }
}

extension Trait where Self == NeedsHosts {
    static var needsHosts: Self { Self() }
}
