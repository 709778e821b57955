import Foundation
import Testing
import Wire

extension EndToEnd {
    /// Outages near the deadline, with the real programs and the bounds that ship.
    ///
    /// They last minutes: `make faults`.
    @Suite struct OutageStories {
        private static let isWhole = ProcessInfo.processInfo.environment["VESTIBULE_FAULTS"] == "all"

        private static func people(_ range: Range<Int>) -> [String] { range.map { "person\($0)@example.com" } }

        // T-259
        @Test(.enabled(if: isWhole, "it lasts two minutes: run by `make faults`"))
        func `eighty logins that were accepted in an outage come through when it ends before their deadline`()
            async throws
        {
            let people = Self.people(0..<80)
            let settings = FaultMatrix.shipped + ["faceLogin.lifetime=125s"]
            try await Fixture.run(settings, people: people, alone: true, within: .seconds(300)) { fixture in
                let start = ContinuousClock.now
                var logins: [App.Login] = []
                for person in people { logins.append(try await fixture.app.begin(person)) }
                try await Task.sleep(until: start + .seconds(75))
                try await fixture.mock.breakDown("status", "hang", milliseconds: 120_000)
                try await Task.sleep(until: start + .seconds(85))
                for person in people { try await fixture.mock.decide(person, "accept") }
                try await Task.sleep(until: start + .seconds(115))
                try await fixture.mock.mend()
                var lost: [String] = []
                for login in logins {
                    let answer = try await fixture.app.follow(login)
                    if answer.status != .completed { lost.append(answer.code ?? "no code") }
                }
                print("outage: \(lost.count) of \(people.count) lost \(lost)")
                #expect(lost.isEmpty)
            }
        }

        // T-259
        @Test(.enabled(if: isWhole, "it lasts two minutes: run by `make faults`"))
        func `sixty scans that hang cost five others nothing, and no start`() async throws {
            let (hanging, others, newcomers) = (Self.people(0..<60), Self.people(60..<65), Self.people(65..<85))
            let all = hanging + others + newcomers
            try await Fixture.run(FaultMatrix.shipped, people: all, alone: true, within: .seconds(300)) { fixture in
                for person in hanging { try await fixture.mock.hangNextScan(of: person, milliseconds: 170_000) }
                for person in hanging { _ = try await fixture.app.begin(person) }
                var logins: [App.Login] = []
                for person in others { logins.append(try await fixture.app.begin(person)) }
                var refused = 0
                for (number, person) in newcomers.enumerated() {
                    if try await fixture.app.open(try await fixture.app.initiate(person)) != 303 { refused += 1 }
                    if number == 5 { for person in others { try await fixture.mock.decide(person, "accept") } }
                    try await Task.sleep(for: .seconds(3))
                }
                var lost = 0
                for login in logins where try await fixture.app.follow(login).status != .completed { lost += 1 }
                print("hanging scans: \(lost) of \(others.count) lost, \(refused) of \(newcomers.count) starts refused")
                #expect(lost == 0 && refused == 0)
            }
        }
    }
}
