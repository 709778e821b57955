import Kernel
import MemoryStore
import Testing

@testable import Wallet

/// A payment whose time is over stays over, whatever the wall clock does then.
struct PaymentExpiryTests {
    private let stage = PaymentStage()

    /// Somebody who looks at a payment, or wants something of it, once its time is over.
    struct Reader: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let look: @Sendable (PaymentStage, Payment) async throws -> Void
    }

    static let readers = [
        Reader(testDescription: "a look") { stage, payment in
            let seen = try await stage.service.find(payment.id, of: PaymentStage.ada)
            #expect(seen.state == .expired)
        },
        Reader(testDescription: "a list") { stage, payment in
            let seen = try await stage.service.list(of: PaymentStage.ada, before: nil, limit: 9)
            #expect(seen.map(\.state) == [.expired] && seen.map(\.id) == [payment.id])
        },
        Reader(testDescription: "the same request again") { stage, payment in
            let again = try await stage.service.initiate(PaymentStage.order(key: "k-1"))
            #expect(!again.isNew && again.payment.state == .expired && again.payment.id == payment.id)
        },
        Reader(testDescription: "a confirmation") { stage, payment in
            let refusal = try await stage.refusal { _ = try await stage.confirm(payment) }
            #expect(refusal == .over(.expired))
        },
        Reader(testDescription: "a cancellation") { stage, payment in
            let refusal = try await stage.refusal { try await stage.service.cancel(payment.id, of: PaymentStage.ada) }
            #expect(refusal == .over(.expired))
        },
    ]

    @Test(arguments: readers)
    func `attack: a clock that goes back opens no payment that was seen as over`(_ reader: Reader) async throws {
        let payment = try await stage.begun(PaymentStage.order(key: "k-1"))
        stage.time.stepWall(by: .seconds(300))
        try await reader.look(stage, payment)
        stage.time.stepWall(by: .seconds(-300))
        #expect(try stage.row(payment).state == .expired)
        #expect(try await stage.service.find(payment.id, of: PaymentStage.ada).state == .expired)
        let confirmation = try await stage.refusal { _ = try await stage.confirm(payment) }
        let cancellation = try await stage.refusal { try await stage.service.cancel(payment.id, of: PaymentStage.ada) }
        #expect(confirmation == .over(.expired) && cancellation == .over(.expired))
        #expect(stage.world.proofs == 0, "nobody's challenge is used up")
        #expect(try stage.row(payment).version == 2, "it was written once")
        #expect(stage.world.auditLog.last == "payment.expired \(payment.id) 12.50 EUR")
    }

    @Test func `a store that takes no write hides no payment whose time is over`() async throws {
        let payment = try await stage.begun()
        stage.time.advance(by: .seconds(300))
        stage.disk.failNextUnit(.beforeCommit)
        let found = try await stage.service.find(payment.id, of: PaymentStage.ada)
        #expect(found.state == .expired)
        #expect(try stage.row(payment).state == .pending, "nothing was written")
        stage.disk.failNextUnit(.beforeCommit)
        let listed = try await stage.service.list(of: PaymentStage.ada, before: nil, limit: 9)
        #expect(listed.map(\.state) == [.expired])
        #expect(try stage.row(payment).state == .pending, "nothing was written")
        #expect(try await stage.service.find(payment.id, of: PaymentStage.ada).state == .expired)
        #expect(try stage.row(payment).state == .expired, "the next look writes it")
    }

    @Test func `many who see at once that it is over write it once`() async throws {
        let payment = try await stage.begun()
        stage.time.advance(by: .seconds(300))
        let states = try await withThrowingTaskGroup(of: PaymentState.self) { [stage] group in
            for _ in 0..<8 {
                group.addTask { try await stage.service.find(payment.id, of: PaymentStage.ada).state }
            }
            return try await group.reduce(into: [PaymentState]()) { $0.append($1) }
        }
        #expect(states == [PaymentState](repeating: .expired, count: 8))
        #expect(try stage.row(payment).version == 2)
    }

    @Test func `what waits is looked at without a write`() async throws {
        let payment = try await stage.begun()
        stage.disk.failNextUnit(.beforeCommit)
        #expect(try await stage.service.find(payment.id, of: PaymentStage.ada) == payment)
        #expect(try await stage.service.list(of: PaymentStage.ada, before: nil, limit: 9) == [payment])
    }

    @Test func `a list writes of its own payments those that are over, and no other`() async throws {
        let bobs = try await stage.begun(PaymentStage.order(PaymentStage.bob, in: PaymentStage.bobsPhone))
        let over = try await stage.begun()
        stage.time.advance(by: .seconds(200))
        let waiting = try await stage.begun()
        stage.time.advance(by: .seconds(100))
        let listed = try await stage.service.list(of: PaymentStage.ada, before: nil, limit: 9)
        #expect(listed.map(\.id) == [waiting.id, over.id] && listed.map(\.state) == [.pending, .expired])
        #expect(try stage.row(bobs) == bobs && stage.row(waiting) == waiting)
    }
}
