import Kernel
import Operations
import Testing

extension StoreUnderTest {
    /// What daemons that share a database find of each other's operations.
    func checkNodes() async throws {
        let other = NodeName(slot: 3)
        try await insert([operation(1), operation(2), operation(3).written(by: other)])
        #expect(try await store.live(of: .first, after: nil, limit: 9).map(\.id) == [operation(1).id, operation(2).id])
        #expect(try await store.live(of: .first, after: operation(1).id, limit: 9).map(\.id) == [operation(2).id])
        #expect(try await store.live(of: .first, after: nil, limit: 1).map(\.id) == [operation(1).id])
        #expect(try await store.live(of: other, after: nil, limit: 9) == [operation(3).written(by: other)])
        let versions = try await store.liveVersions(of: .first, after: operation(1).id, limit: 9)
        let second = operation(2)
        #expect(versions == [StoredVersion(row: second.id, publicID: second.credentials.publicID, seq: second.seq)])
        let (store, account) = (store, account)
        let owned = try await unitOfWork.run { try store.live(ofAccount: account, in: $0).map(\.id) }
        #expect(owned == [operation(1).id, operation(2).id, operation(3).id])
        let nobody = AccountID(UUIDBits(high: 0xBAD, low: 1))
        #expect(try await unitOfWork.run { try store.live(ofAccount: nobody, in: $0) }.isEmpty)
        let client = operation(1).request.policy.clientID
        #expect(
            try await store.live(ofClient: client, after: nil, limit: 2).map(\.id) == [
                operation(1).id, operation(2).id,
            ]
        )
        #expect(try await store.live(ofClient: client, after: operation(2), limit: 2).map(\.id) == [operation(3).id])
        #expect(try await store.live(ofClient: "\(client)%", after: nil, limit: 9).isEmpty)
        #expect(try await store.live(of: NodeName(slot: 4), after: nil, limit: 9).isEmpty)
        let credentials = operation(3).credentials
        #expect(try await store.find(publicID: credentials.publicID)?.id == operation(3).id)
        #expect(try await store.find(ticket: credentials.ticket)?.operation.id == operation(3).id)
        #expect(try await store.find(publicID: credentials.ticket) == nil, "a ticket is no public id")
        #expect(try await store.find(ticket: credentials.publicID) == nil, "a public id is no ticket")
        // The next version is another daemon's, which follows the operation from then on.
        let opened = operation(1, state: OperationSample.everyState[1], seq: 2).written(by: other)
        #expect(try await update(opened, over: 1))
        #expect(try await store.live(of: other, after: nil, limit: 9).map(\.id) == [opened.id, operation(3).id])
        #expect(try await store.live(of: .first, after: nil, limit: 9).map(\.id) == [operation(2).id])
        let ended = operation(3, state: .failed(.expired, at: OperationSample.start), seq: 2)
        #expect(try await update(ended, over: 1))
        #expect(try await store.live(of: other, after: nil, limit: 9).map(\.id) == [opened.id])
        let left = try await unitOfWork.run { try store.live(ofAccount: account, in: $0).map(\.id) }
        #expect(left == [operation(1).id, operation(2).id])
        #expect(try await store.find(publicID: credentials.publicID)?.state.name == .failed)
        #expect(try await store.find(ticket: credentials.ticket) == nil, "no browser of its can come back")
        try await checkBrowser(of: opened)
    }

    /// The browser of a scan is found by its ticket, also after the end.
    private func checkBrowser(of opened: Operations.Operation) async throws {
        let ticket = opened.credentials.ticket
        let browser = try #require(try await store.find(ticket: ticket)?.browser)
        let ended = operation(1, state: .failed(.notMatched, at: OperationSample.start), seq: 3)
        #expect(try await update(ended, over: 2))
        let found = try #require(try await store.find(ticket: ticket))
        #expect(found.operation.state.name == .failed && found.browser == browser)
        #expect(try await store.find(row: ended.id) == found.operation)
    }
}
