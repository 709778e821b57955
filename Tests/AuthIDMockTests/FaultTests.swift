import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import MockServing
import NIOCore
import Testing

@testable import AuthIDMock

/// Faults as a caller meets them, over real connections.
@Suite struct FaultTests {
    @Test(arguments: [
        (FaultKind.http500, 500), (.http429, 429), (.http401, 401), (.http409, 409), (.notFound, 404), (.flap, 500),
    ])
    func `an error fault answers in authID's form and then lets go`(_ kind: FaultKind, _ status: Int) async throws {
        let rig = Rig()
        try await rig.serve { caller in
            let (caller, id, _) = try await caller.withLogin()
            rig.setFault(FaultRule(target: .status, kind: kind, count: 1))
            let answer = try await caller.loginStatus(id)
            #expect(answer.status == status)
            #expect(try !answer.string("ID").isEmpty && !answer.string("Message").isEmpty)
            #expect(try await caller.loginStatus(id).status == 200)
        }
    }

    @Test func `garbage is 200 and no JSON`() async throws {
        let rig = Rig()
        try await rig.serve { caller in
            let (caller, id, _) = try await caller.withLogin()
            rig.setFault(FaultRule(target: .status, kind: .garbage))
            let answer = try await caller.loginStatus(id)
            #expect(answer.status == 200)
            #expect(throws: (any Error).self) { try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) }
        }
    }

    @Test func `a wrong transaction is about an id that nobody has`() async throws {
        let rig = Rig()
        try await rig.serve { caller in
            let (caller, id, _) = try await caller.withLogin()
            rig.setFault(FaultRule(target: .status, kind: .wrongTransaction))
            let other = try await caller.loginStatus(id).string("TransactionId")
            #expect(other != id)
            #expect(UUIDBits(other) != nil)
            #expect(try await caller.loginStatus(other).status == 404)
        }
    }

    @Test func `a scan made under late_accept is accepted after its timeout`() async throws {
        let rig = Rig()
        rig.setFault(FaultRule(target: .create, kind: .lateAccept))
        try await rig.serve { caller in
            let (caller, id, _) = try await caller.withLogin(timeout: 30)
            rig.clock.advance(.seconds(29))
            #expect(try await caller.loginStatus(id).int("Status") == 0)
            rig.clock.advance(.seconds(1))
            #expect(try await caller.loginStatus(id).int("Status") == 1)
        }
    }

    @Test func `a slow answer comes after its time`() async throws {
        let rig = Rig()
        try await rig.serveLive { caller in
            let (caller, id, _) = try await caller.withLogin()
            rig.setFault(FaultRule(target: .status, kind: .slow, duration: .milliseconds(120)))
            let start = ContinuousClock.now
            #expect(try await caller.loginStatus(id).status == 200)
            #expect(ContinuousClock.now - start >= .milliseconds(120))
        }
    }

    @Test(arguments: [FaultKind.reset, .truncate])
    func `a dropped answer breaks the connection, and the next one works`(_ kind: FaultKind) async throws {
        let rig = Rig()
        try await rig.serveLive { caller in
            let (caller, id, _) = try await caller.withLogin()
            let port = try #require(caller.client.port)
            rig.setFault(FaultRule(target: .status, kind: kind, count: 1))
            await #expect(throws: (any Error).self) { try await caller.loginStatus(id) }
            let status = try await TestClient.withClient(host: "127.0.0.1", port: port) { client in
                let headers: HTTPFields = [.authorization: "Bearer \(caller.token ?? "")"]
                return try await client.get(Caller.scans + "/transactions/\(id)/status", headers: headers).status
            }
            #expect(status == .ok)
            let recent = rig.backend.with { state, _ in state.requestLog.recent(2) }
            #expect(recent.map(\.fault) == [nil, kind])
            #expect(recent.map(\.status) == [200, kind == .reset ? nil : 200])
        }
    }

    @Test func `truncated work is done and reset work is not`() async throws {
        for (kind, count) in [(FaultKind.truncate, 2), (.reset, 1)] {
            let rig = Rig()
            try await rig.serveLive { caller in
                let (caller, _, _) = try await caller.withLogin()
                rig.setFault(FaultRule(target: .create, kind: kind))
                await #expect(throws: (any Error).self) { try await caller.startLogin() }
                #expect(rig.backend.with { state, _ in state.listScans(limit: 9).count } == count)
            }
        }
    }

    @Test func `a hanging call ends with the connection after its time`() async throws {
        let rig = Rig()
        try await rig.serveLive { caller in
            let (caller, id, _) = try await caller.withLogin()
            rig.setFault(FaultRule(target: .status, kind: .hang, duration: .milliseconds(100)))
            let start = ContinuousClock.now
            await #expect(throws: (any Error).self) { try await caller.loginStatus(id) }
            #expect(ContinuousClock.now - start >= .milliseconds(100))
            // Far above what a busy machine takes, far below what a call hangs for that is given no time.
            #expect(ContinuousClock.now - start < .seconds(300))
        }
    }

    @Test func `a call that hangs does not keep the server from stopping`() async throws {
        let rig = Rig()
        let start = ContinuousClock.now
        try await rig.serveLive { caller in
            let (caller, id, _) = try await caller.withLogin()
            let port = try #require(caller.client.port)
            rig.setFault(FaultRule(target: .status, kind: .hang, duration: .seconds(600)))
            let silent = TestClient(host: "127.0.0.1", port: port)
            silent.connect()
            try await silent.executeAndDontWaitForResponse(
                TestClient.Request(
                    Caller.scans + "/transactions/\(id)/status",
                    method: .get,
                    authority: "127.0.0.1",
                    headers: [.authorization: "Bearer \(caller.token ?? "")"]
                )
            )
            while rig.backend.with({ state, _ in state.requestLog.counts[.transactionStatus] }) != 1 {
                try await Task.sleep(for: .milliseconds(5))
            }
            // The connection stays open here: leaving the block stops the server, which has to let go of it.
        }
        // Far above what a busy machine takes, far below what the call hangs for.
        #expect(ContinuousClock.now - start < .seconds(300))
    }

    @Test func `the benchmark measures every fault`() throws {
        let rows = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Benchmarks/lib/rows.sh")
        let text = try String(contentsOf: rows.standardizedFileURL, encoding: .utf8)
        let list = try #require(text.firstMatch(of: /provider_faults=\(([^)]*)\)/)?.1)
        #expect(list.split { $0.isWhitespace }.map(String.init).sorted() == FaultKind.allCases.map(\.rawValue).sorted())
    }
}
