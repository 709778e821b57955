import Kernel
import MemoryStore
import Testing

@testable import Wallet

/// A payment whose time is over stays over, whatever the wall clock does then.
struct PaymentExpiryTests {
    private let fixture = PaymentFixture()

    /// Somebody who looks at a payment, or wants something of it, once its time is over.
    struct Reader: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let look: @Sendable (PaymentFixture, Payment) async throws -> Void
    }

    static let readers = [
        Reader(testDescription: "a look") { fixture, payment in
            let seen = try await fixture.service.find(payment.id, of: PaymentFixture.ada)
            #expect(seen.state == .expired)
        },
        Reader(testDescription: "a list") { fixture, payment in
            let seen = try await fixture.service.list(of: PaymentFixture.ada, before: nil, limit: 9)
            #expect(seen.map(\.state) == [.expired] && seen.map(\.id) == [payment.id])
        },
        Reader(testDescription: "the same request again") { fixture, payment in
            let again = try await fixture.service.initiate(PaymentFixture.draft(key: "k-1"))
            #expect(!again.isNew && again.payment.state == .expired && again.payment.id == payment.id)
        },
        Reader(testDescription: "a confirmation") { fixture, payment in
            let refusal = try await fixture.refusal { _ = try await fixture.confirm(payment) }
            #expect(refusal == .over(.expired))
        },
        Reader(testDescription: "a cancellation") { fixture, payment in
            let refusal = try await fixture.refusal {
                try await fixture.service.cancel(payment.id, of: PaymentFixture.ada)
            }
            #expect(refusal == .over(.expired))
        },
    ]

    // T-148
    @Test(arguments: readers)
    func `attack: a payment seen as expired stays expired after the clock is set back`(_ reader: Reader) async throws {
        let payment = try await fixture.begun(PaymentFixture.draft(key: "k-1"))
        fixture.time.stepWall(by: .seconds(300))
        try await reader.look(fixture, payment)
        fixture.time.stepWall(by: .seconds(-300))
        #expect(try fixture.row(payment).state == .expired)
        #expect(try await fixture.service.find(payment.id, of: PaymentFixture.ada).state == .expired)
        let confirmation = try await fixture.refusal { _ = try await fixture.confirm(payment) }
        let cancellation = try await fixture.refusal {
            try await fixture.service.cancel(payment.id, of: PaymentFixture.ada)
        }
        #expect(confirmation == .over(.expired) && cancellation == .over(.expired))
        #expect(fixture.world.proofs == 0, "nobody's challenge is used up")
        #expect(try fixture.row(payment).version == 2, "it was written once")
        #expect(fixture.world.auditLog.last == "payment.expired \(payment.id) 12.50 EUR")
    }

    // T-148
    @Test func `a store that takes no write hides no payment whose time is over`() async throws {
        let payment = try await fixture.begun()
        fixture.time.advance(by: .seconds(300))
        fixture.disk.failNextUnit(.beforeCommit)
        let found = try await fixture.service.find(payment.id, of: PaymentFixture.ada)
        #expect(found.state == .expired)
        #expect(try fixture.row(payment).state == .pending, "nothing was written")
        fixture.disk.failNextUnit(.beforeCommit)
        let listed = try await fixture.service.list(of: PaymentFixture.ada, before: nil, limit: 9)
        #expect(listed.map(\.state) == [.expired])
        #expect(try fixture.row(payment).state == .pending, "nothing was written")
        #expect(try await fixture.service.find(payment.id, of: PaymentFixture.ada).state == .expired)
        #expect(try fixture.row(payment).state == .expired, "the next look writes it")
    }

    // T-148
    @Test func `many who see at once that it is over write it once`() async throws {
        let payment = try await fixture.begun()
        fixture.time.advance(by: .seconds(300))
        let states = try await withThrowingTaskGroup(of: PaymentState.self) { [fixture] group in
            for _ in 0..<8 {
                group.addTask { try await fixture.service.find(payment.id, of: PaymentFixture.ada).state }
            }
            return try await group.reduce(into: [PaymentState]()) { $0.append($1) }
        }
        #expect(states == [PaymentState](repeating: .expired, count: 8))
        #expect(try fixture.row(payment).version == 2)
    }

    @Test func `a waiting payment is read without a write`() async throws {
        let payment = try await fixture.begun()
        fixture.disk.failNextUnit(.beforeCommit)
        #expect(try await fixture.service.find(payment.id, of: PaymentFixture.ada) == payment)
        #expect(try await fixture.service.list(of: PaymentFixture.ada, before: nil, limit: 9) == [payment])
    }

    @Test func `a list writes of its own payments those that are over, and no other`() async throws {
        let bobs = try await fixture.begun(PaymentFixture.draft(PaymentFixture.bob, in: PaymentFixture.bobsPhone))
        let over = try await fixture.begun()
        fixture.time.advance(by: .seconds(200))
        let waiting = try await fixture.begun()
        fixture.time.advance(by: .seconds(100))
        let listed = try await fixture.service.list(of: PaymentFixture.ada, before: nil, limit: 9)
        #expect(listed.map(\.id) == [waiting.id, over.id] && listed.map(\.state) == [.pending, .expired])
        #expect(try fixture.row(bobs) == bobs && fixture.row(waiting) == waiting)
    }
}
