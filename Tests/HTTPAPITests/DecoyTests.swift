import Accounts
import HTTPTypes
import HummingbirdTesting
import MemoryStore
import NIOCore
import Operations
import Testing

@testable import Assembly

/// A person who asks for a login can't tell whether the account exists.
struct DecoyTests {
    // T-027
    @Test func `attack: a start for an unknown address has the same status, headers and form as a real one`()
        async throws
    {
        try await Harness.run { harness in
            let real = try await harness.start("ada@example.com")
            let decoy = try await harness.start("nobody@example.com")
            let strange = try await harness.start("no address @ all")
            #expect(try harness.operation(decoy).isDecoy && !harness.operation(real).isDecoy)
            for other in [decoy, strange] {
                #expect(other.response.status == real.response.status)
                #expect(Self.shape(other) == Self.shape(real))
                #expect(other.response.headerNames == real.response.headerNames)
                #expect(Self.attributes(other) == Self.attributes(real))
                #expect(other.response.body.readableBytes == real.response.body.readableBytes)
            }
        }
    }

    // T-027
    @Test func `attack: until it expires, a decoy's polls are byte for byte those of an unopened login`() async throws {
        try await Harness.run { harness in
            let real = try await harness.start("ada@example.com")
            let decoy = try await harness.start("nobody@example.com")
            for step in 0..<20 {
                for headers in [HTTPFields(), [.codeVerifier: Harness.verifier]] {
                    try Self.same(try await harness.poll(real, headers), try await harness.poll(decoy, headers))
                }
                try Self.same(try await harness.poll(real, real.bound), try await harness.poll(decoy, decoy.bound))
                try Self.same(
                    try await harness.send(.get, real.landingPath),
                    try await harness.send(.get, decoy.landingPath)
                )
                if step == 19 { #expect(try await harness.word(decoy, decoy.bound) == "expired") }
                await harness.pass(.seconds(10))
            }
        }
    }

    // T-027
    @Test func `attack: cancelling a decoy gets the same answers as cancelling a real login`() async throws {
        try await Harness.run { harness in
            let real = try await harness.start("ada@example.com")
            let decoy = try await harness.start("nobody@example.com")
            try Self.same(
                try await harness.send(.post, real.cancelPath),
                try await harness.send(.post, decoy.cancelPath)
            )
            let ends = (
                try await harness.send(.post, real.cancelPath, real.bound),
                try await harness.send(.post, decoy.cancelPath, decoy.bound)
            )
            #expect(ends.0.text.contains("canceled"))
            try Self.same(ends.0, ends.1)
            try Self.same(try await harness.poll(real, real.bound), try await harness.poll(decoy, decoy.bound))
        }
    }

    // T-027
    @Test func `attack: without proof, polls of an approved login get the same answers as polls of a decoy`()
        async throws
    {
        try await Harness.run { harness in
            let real = try await harness.start("ada@example.com", isChallenged: true)
            let decoy = try await harness.start("nobody@example.com", isChallenged: true)
            try await harness.approve(real)
            try Self.same(try await harness.poll(real), try await harness.poll(decoy))
            let wrong: HTTPFields = [.codeVerifier: String(repeating: "x", count: 43)]
            try Self.same(try await harness.poll(real, wrong), try await harness.poll(decoy, wrong))
            #expect(try await harness.word(real, Harness.proof) == "completed")
            try Self.same(try await harness.poll(real), try await harness.poll(decoy))
            await harness.pass(.seconds(180))
            try Self.same(try await harness.poll(real), try await harness.poll(decoy))
            #expect(try await harness.word(real) == "expired")
        }
    }

    /// Accounts that exist, and for which no login can be started.
    @Test func `an account that is disabled, or not enrolled, gets a decoy`() async throws {
        try await Harness.run { harness in
            _ = try await harness.composition.accounts.disable("bob@example.com")
            _ = try await harness.composition.accounts.add(NewAccount(email: "carol@example.com", name: "Carol"))
            for email in ["bob@example.com", "carol@example.com"] {
                let login = try await harness.start(email)
                #expect(try harness.operation(login).isDecoy)
                #expect(try await harness.open(login).text.contains("We could not start the scan on this device"))
            }
            #expect(harness.provider.calls.isEmpty)
        }
    }

    @Test(arguments: ["ADA@example.com", " ada@example.com ", "Ada@Example.Com"])
    func `an address is known however it is typed`(_ email: String) async throws {
        try await Harness.run { harness in
            let login = try await harness.start(email)
            #expect(try !harness.operation(login).isDecoy)
        }
    }

    @Test func `a decoy's page ends with a message that does not name the account`() async throws {
        try await Harness.run { harness in
            let decoy = try await harness.start("nobody@example.com")
            let page = try await harness.open(decoy)
            #expect(page.status == .ok)
            #expect(page.headers[.location] == nil)
            #expect(page.text.contains("We could not start the scan on this device"))
            #expect(!page.text.contains("nobody@example.com"))
            #expect(harness.provider.calls.isEmpty)
            #expect(try await harness.word(decoy, decoy.bound) == "created")
        }
    }

    /// The answer without its secrets.
    private static func shape(_ login: StartedLogin) -> String {
        login.response.text.replacing(login.id, with: "ID").replacing(login.ticket, with: "TICKET")
    }

    private static func attributes(_ login: StartedLogin) -> String? {
        login.response.setCookie("vst_op_").map { String($0.drop { $0 != ";" }) }
    }

    private static func same(
        _ one: TestResponse,
        _ other: TestResponse,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let id = { (response: TestResponse) in response.headers[.requestID] ?? "-" }
        #expect(one.status == other.status, sourceLocation: sourceLocation)
        #expect(
            one.text.replacing(id(one), with: "R") == other.text.replacing(id(other), with: "R"),
            sourceLocation: sourceLocation
        )
        #expect(one.headerNames == other.headerNames, sourceLocation: sourceLocation)
    }
}
