import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Testing

@testable import Assembly

/// The behaviour of existing clients, which no limit may hinder.
struct HonestClientTests {
    /// The behaviour of an app, read from its source: a start, a pause of 2 s, and sixty polls 2 s apart.
    ///
    /// The polls continue after `failed` and after any answer but 200.
    private struct App {
        let login: StartedLogin
        let keepsCookies: Bool
        var headers: HTTPFields { keepsCookies ? login.bound : [:] }
    }

    // T-237
    @Test func `fifty apps behind one address, each polling sixty times, get no 429`() async throws {
        try await Harness.run { harness in
            var apps: [App] = []
            for number in 0..<50 {
                let email = ["ada@example.com", "bob@example.com"][checked: number] ?? "person\(number)@example.com"
                apps.append(App(login: try await harness.start(email), keepsCookies: number % 2 == 0))
            }
            try await harness.approve(apps[0].login)
            for round in 0...60 {
                for (number, app) in apps.enumerated() {
                    // Every fifth one is given up after 20 s, and its app still polls.
                    if round == 10, number % 10 == 4 {
                        try await harness.send(.post, app.login.cancelPath, app.headers)
                    }
                    let answer = try await harness.poll(app.login, app.headers)
                    #expect(answer.status == .ok, "app \(number), poll \(round): \(answer.text)")
                }
                await harness.pass(.seconds(2))
            }
            #expect(harness.composition.service.limiterRefusals.values.allSatisfy { $0 == 0 })
        }
    }

    @Test func `fifty people who try again ten times in ten minutes get no 429`() async throws {
        try await Harness.run { harness in
            for _ in 0..<10 {
                for person in 0..<50 {
                    let login = try await harness.start("person\(person)@example.com")
                    for _ in 0..<3 { #expect(try await harness.poll(login, login.bound).status == .ok) }
                }
                await harness.pass(.seconds(60))
            }
        }
    }

    @Test func `apps that lost their answers and start again at once get no 429`() async throws {
        try await Harness.run { harness in
            for _ in 0..<3 {
                for person in 0..<50 {
                    // An app that timed out does not know whether its start was heard: it starts again.
                    for _ in 0..<2 { try await harness.start("person\(person)@example.com") }
                }
                await harness.pass(.seconds(20))
            }
            #expect(harness.composition.service.limiterRefusals.values.allSatisfy { $0 == 0 })
        }
    }

    // T-238
    @Test func `fifty apps that come back to logins of long ago are told that they are over`() async throws {
        try await Harness.run { harness in
            var logins: [StartedLogin] = []
            for person in 0..<50 { logins.append(try await harness.start("person\(person)@example.com")) }
            await harness.pass(.seconds(180))
            for login in logins { #expect(try await harness.word(login, login.bound) == "expired") }
            // Out of the cache after ten minutes: from now on each question is one to the store.
            await harness.pass(.seconds(601))
            for login in logins { #expect(try await harness.word(login, login.bound) == "expired") }
            #expect(harness.composition.service.limiterRefusals.values.allSatisfy { $0 == 0 })
        }
    }
}

extension Array {
    fileprivate subscript(checked index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
