internal import Dispatch
package import Kernel

/// The changes of keys by other daemons.
extension KeyRing {
    /// Where calls wait that ask a database or create RSA keys, which would hold up a thread of the cooperative pool.
    private static let queue = DispatchQueue(label: "vestibule.keys")
    /// The pause after a reading of the keys that failed.
    private static let pause: Duration = .seconds(1)

    /// Runs a body that may block, apart from the cooperative pool.
    @discardableResult
    package func apart<T: Sendable>(_ body: @escaping @Sendable (KeyRing) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            Self.queue.async { continuation.resume(with: Result { try body(self) }) }
        }
    }

    /// Reads the keys again whenever another daemon has changed some, until the task is cancelled.
    ///
    /// All messages that come during a reading cause one more.
    ///
    /// - Parameters:
    ///   - feed: The messages of other daemons.
    ///   - environment: Times the pause after a reading that failed.
    ///   - tell: Receives the error of the first of several readings that fail in a row.
    package func follow(
        _ feed: any ChangeFeed,
        in environment: Environment,
        tell: @escaping @Sendable (any Error) -> Void
    ) async {
        let (changes, wanted) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await event in feed.events() {
                    switch event {
                    case .message(.keysChanged), .gap: wanted.yield()
                    case .message: break
                    }
                }
                wanted.finish()
            }
            for await _ in changes { await reload(in: environment, tell: tell) }
        }
    }

    /// Reads the keys until that succeeds: one that was retired elsewhere must not verify here.
    private func reload(in environment: Environment, tell: @Sendable (any Error) -> Void) async {
        var isTold = false
        while !Task.isCancelled {
            do { return try await apart { try $0.reload() } } catch {
                if !isTold { tell(error) }
                isTold = true
            }
            try? await environment.clock.sleep(until: environment.clock.now + Self.pause)
        }
    }
}
