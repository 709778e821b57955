import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// The clients that wait: a connection each.
struct Crowd {
    private let options: ParkWaiters
    private let ledger: WakeLedger
    private let host: String
    private let port: Int
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    init(_ options: ParkWaiters, ledger: WakeLedger) throws {
        guard let address = URLComponents(string: options.server), let host = address.host, let port = address.port
        else {
            throw SeedError(text: "\(options.server) is not an address with a port")
        }
        self.options = options
        self.ledger = ledger
        self.host = host
        self.port = port
    }

    /// Connects everybody, evenly over the storm; returns when the last one is connected.
    func connect(_ logins: [SeededLogin]) async throws {
        let clock = ContinuousClock()
        let start = clock.now
        try await withThrowingTaskGroup { connecting in
            for number in 0..<options.count {
                // By fifties: a timer for each would be the bench's own load.
                if number % 50 == 0 {
                    try await clock.sleep(until: start + .seconds(options.storm) / options.count * number)
                }
                let channel = bootstrap(number, logins[number / options.perLogin]).connect(host: host, port: port)
                connecting.addTask { _ = try await channel.get() }
            }
            try await connecting.waitForAll()
        }
    }

    func leave() async throws { try await group.shutdownGracefully() }

    private func bootstrap(_ number: Int, _ login: SeededLogin) -> ClientBootstrap {
        let waiter = WaitingClient(
            login: number / options.perLogin,
            path: options.events ? login.eventsPath : login.pollPath + "?wait=30",
            // Different clients: one that asked twice would take its own place.
            userAgent: "bench/\(number % options.perLogin)",
            streams: options.events,
            ending: Array(options.ending.utf8)
        )
        let ledger = ledger
        return ClientBootstrap(group: group)
            .connectTimeout(.seconds(30))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(WaitingHandler(waiter, ledger: ledger))
                }
            }
    }
}

/// The request of one client.
struct WaitingClient: Sendable {
    let login: Int
    let path: String
    let userAgent: String
    /// Server-sent events, not long polls.
    let streams: Bool
    /// The bytes that tell of the change in an answer.
    let ending: [UInt8]
}
