import Foundation
import Testing

@testable import Admin

/// A status as scripts and the console read it.
struct StatusViewTests {
    private static let text = """
        {"minutes":[{"approved":4,"at":1800000060000,"begun":5,"errors":{"login expired":7},"failed":1,"live":2,\
        "providers":[{"calls":10,"failures":1,"milliseconds":2500,"name":"mock"}],"refused":6,"waiting":3},\
        {"approved":0,"at":1800000120000,"begun":0,"failed":0,"live":0,"providers":[],"refused":0,"waiting":0}],\
        "now":1800000060000,"operations":{"closed":1,"pending":2},"owner":{"accent":"#0a5c36","name":"Example"},\
        "providers":[{"circuit":"open","isHealthy":false,"name":"mock","pausedSeconds":30}],\
        "queues":[{"count":2,"name":"mail","oldestSeconds":61}],"refusals":{"unknown_device":4},\
        "startedAt":1800000000000,"version":"1","waiting":8}
        """

    @Test func `a status and its minutes are flat objects, and come back as they were written`() throws {
        let status = try JSONDecoder().decode(StatusView.self, from: Data(Self.text.utf8))
        #expect(status.process.version == "1" && status.process.owner?.name == "Example")
        let load = StatusView.Load(
            operations: ["closed": 1, "pending": 2],
            waiting: 8,
            refusals: ["unknown_device": 4]
        )
        #expect(status.load == load)
        #expect(status.minutes.map(\.logins.begun) == [5, 0] && status.minutes.map(\.logins.live) == [2, 0])
        #expect(status.minutes.map(\.requests) == [.init(waiting: 3, refused: 6), .init(waiting: 0, refused: 0)])
        #expect(status.minutes.map(\.errors) == [["login expired": 7], nil])
        #expect(try Rendering.json(status, onOneLine: true) == Self.text)
    }

    @Test func `a status of an older daemon, which names no owner, is read`() throws {
        let older = Self.text.replacing(##""owner":{"accent":"#0a5c36","name":"Example"},"##, with: "")
        let status = try JSONDecoder().decode(StatusView.self, from: Data(older.utf8))
        #expect(status.process.owner == nil)
        #expect(try Rendering.json(status, onOneLine: true) == older)
    }
}
