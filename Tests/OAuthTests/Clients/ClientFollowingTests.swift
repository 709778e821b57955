import Kernel
import MemoryStore
import Synchronization
import Testing

@testable import OAuth

/// Two daemons over one store of clients.
struct ClientFollowingTests {
    private let time = VirtualTime()

    @Test func `a change that comes late does not undo a later one`() {
        let directory = OAuthClientDirectory(configured: [])
        let (first, second) = (directory.nextChange(), directory.nextChange())
        directory.put(ClientHarness.client("web", .none, isEnabled: false), as: second)
        directory.put(ClientHarness.client("web", .none, isEnabled: true), as: first)
        #expect(directory.client("web")?.isEnabled == false)
    }

    @Test func `a client that one daemon disables is disabled on the other, and a lost message is made up for`()
        async throws
    {
        let disk = MemoryDisk()
        let (feed, otherFeed) = (ScriptedFeed(), ScriptedFeed())
        let (here, there) = (service(disk, feed), service(disk, otherFeed))
        var metadata = ClientMetadata()
        metadata.redirectURIs = ["https://app.example.com/done"]
        _ = try await here.add(metadata, id: "web")
        #expect(feed.sent == [.clientsChanged])
        let following = Task { await there.follow() }
        defer { following.cancel() }
        otherFeed.tell(.message(.clientsChanged))
        try await wait { there.directory.client("web")?.isEnabled == true }
        _ = try await here.setEnabled("web", false)
        #expect(feed.sent == [.clientsChanged, .clientsChanged])
        // The message is lost, and the gap noticed; the store can't be read at first.
        disk.isDown = true
        otherFeed.tell(.gap)
        try await Task.sleep(for: .milliseconds(50))
        #expect(there.directory.client("web")?.isEnabled == true)
        disk.isDown = false
        try await wait { there.directory.client("web")?.isEnabled == false }
    }

    private func wait(_ condition: () -> Bool) async throws {
        for _ in 0..<600 where !condition() {
            try await Task.sleep(for: .milliseconds(10))
            time.advance(by: .milliseconds(500))
        }
        #expect(condition())
    }

    private func service(_ disk: MemoryDisk, _ feed: ScriptedFeed) -> ClientService {
        let storage = disk.open()
        return ClientService(
            directory: OAuthClientDirectory(configured: [], feed: feed),
            environment: time.environment(),
            unitOfWork: storage.unitOfWork,
            store: storage.oauthClients,
            auditLog: storage.auditLog,
            secrets: ClientSecrets(key: ClientHarness.key),
            ending: ConsentEnding(consents: storage.consents),
            rules: NewClientRules(reserved: [], names: [])
        )
    }
}

/// Messages that the test sends itself.
private final class ScriptedFeed: ChangeFeed {
    private let messages = Mutex<[FeedMessage]>([])
    private let listening = AsyncStream.makeStream(of: FeedEvent.self)

    var sent: [FeedMessage] { messages.withLock(\.self) }

    func announce(_ message: FeedMessage) { messages.withLock { $0.append(message) } }
    func events() -> AsyncStream<FeedEvent> { listening.stream }
    func tell(_ event: FeedEvent) { listening.continuation.yield(event) }
}
