import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPAPI

/// How many connections to the admin socket its readers hold.
struct PeerConnectionTests {
    private static let own: UInt32 = 1000

    // T-220
    @Test func `attack: readers hold half of the connections at most, and the operators always get in`() {
        let connections = PeerConnections(most: 16, own: Self.own)
        let readers = (1001...1020 as ClosedRange<UInt32>).filter(connections.enter)
        #expect(readers.count == 8)
        for user in [0, Self.own] + Array(repeating: Self.own, count: 16) { #expect(connections.enter(user)) }
        connections.leave(Self.own)
        #expect(!connections.enter(2000), "an operator's place is none of the readers'")
        connections.leave(1001)
        #expect(connections.enter(2000))
    }

    // T-220
    @Test func `attack: one reader leaves places to the others`() {
        let connections = PeerConnections(most: 16, own: Self.own)
        #expect((0..<16).count { _ in connections.enter(1001) } == 4)
        #expect(connections.enter(1002))
        connections.leave(1001)
        #expect(connections.enter(1001) && !connections.enter(1001))
    }

    // T-220
    @Test func `a connection beyond the share is closed, and one that ends makes room`() throws {
        let connections = PeerConnections(most: 4, own: Self.own)
        func connect(_ user: UInt32) throws -> EmbeddedChannel {
            let channel = EmbeddedChannel()
            let gate = PeerConnectionGate(connections) { $0.eventLoop.makeSucceededFuture(user) }
            try channel.pipeline.syncOperations.addHandler(gate)
            try channel.connect(to: try SocketAddress(unixDomainSocketPath: "/admin.sock")).wait()
            return channel
        }
        let first = try connect(1001)
        #expect(first.isActive)
        #expect(try !connect(1001).isActive)
        let operators = try connect(Self.own)
        #expect(operators.isActive)
        _ = try first.finish()
        let next = try connect(1001)
        #expect(next.isActive)
        for channel in [operators, next] { _ = try channel.finish() }
    }

    // T-220
    @Test func `a peer that the kernel does not name counts as a reader`() throws {
        let connections = PeerConnections(most: 4, own: Self.own)
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(PeerConnectionGate(connections))
        try channel.connect(to: try SocketAddress(unixDomainSocketPath: "/admin.sock")).wait()
        #expect(!connections.enter(PeerConnectionGate.unknown))
        _ = try channel.finish(acceptAlreadyClosed: true)
        #expect(connections.enter(PeerConnectionGate.unknown))
    }
}
