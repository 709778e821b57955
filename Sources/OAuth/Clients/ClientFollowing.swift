import Kernel

extension ClientService {
    /// The pause after a reading of the clients that failed.
    private static let pause: Duration = .seconds(1)

    /// Reads the clients again whenever another daemon has changed some, until the task is cancelled.
    package func follow() async {
        for await event in directory.feed.events() {
            switch event {
            case .message(.clientsChanged), .gap: await reload()
            case .message: break
            }
        }
    }

    /// Reads the clients until that succeeds: one that was disabled elsewhere must not go on here.
    private func reload() async {
        while !Task.isCancelled {
            if (try? await load()) != nil { return }
            try? await environment.clock.sleep(until: environment.clock.now + Self.pause)
        }
    }
}
