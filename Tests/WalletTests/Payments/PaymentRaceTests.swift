import Kernel
import MemoryStore
import StoreContract
import Testing

@testable import Wallet

/// Many at once, and again: one payment, one confirmation, one use of its token.
struct PaymentRaceTests {
    private let fixture = PaymentFixture()

    @Test func `attack: of eight concurrent confirmations one succeeds and seven are told so`() async throws {
        for round in 0..<20 {
            let payment = try await fixture.begun()
            let outcomes = try await withThrowingTaskGroup(of: PaymentError?.self) { [fixture] group in
                for number in 0..<8 {
                    let session = number.isMultiple(of: 2) ? PaymentFixture.phone : PaymentFixture.tablet
                    let method = PaymentMethod.allCases[number % 3]
                    group.addTask {
                        try await fixture.refusal { _ = try await fixture.confirm(payment, in: session, by: method) }
                    }
                }
                return try await group.reduce(into: [PaymentError?]()) { $0.append($1) }
            }
            #expect(outcomes.filter { $0 == nil }.count == 1, "round \(round)")
            #expect(outcomes.filter { $0 == .over(.confirmed) }.count == 7, "round \(round)")
            #expect(try fixture.row(payment).version == 2)
        }
    }

    @Test func `attack: of concurrent confirmations and cancellations one succeeds`() async throws {
        for round in 0..<20 {
            let payment = try await fixture.begun()
            let done = try await withThrowingTaskGroup(of: PaymentStatus?.self) { [fixture] group in
                for number in 0..<8 {
                    group.addTask {
                        let isConfirming = number.isMultiple(of: 2)
                        let refusal = try await fixture.refusal {
                            if isConfirming {
                                _ = try await fixture.confirm(payment)
                            } else {
                                try await fixture.service.cancel(payment.id, of: PaymentFixture.ada)
                            }
                        }
                        return refusal == nil ? (isConfirming ? .confirmed : .cancelled) : nil
                    }
                }
                return try await group.reduce(into: [PaymentStatus]()) { if let status = $1 { $0.append(status) } }
            }
            let status = try fixture.row(payment).state.status
            #expect(Set(done) == [status], "round \(round)")
            #expect(status == .cancelled || done.count == 1, "round \(round)")
        }
    }

    @Test func `attack: a card token redeemed eight times at once is redeemed once`() async throws {
        for round in 0..<20 {
            let confirmed = try await fixture.confirmed()
            let spent = try await withThrowingTaskGroup(of: Bool.self) { [fixture] group in
                for _ in 0..<8 {
                    group.addTask { try await fixture.service.redeem(cardToken: confirmed.cardToken) != nil }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(spent == 1, "round \(round)")
            #expect(try await fixture.service.redeem(cardToken: confirmed.cardToken) == nil)
        }
    }

    @Test func `attack: one idempotency key sent eight times at once begins one payment`() async throws {
        let begun = try await withThrowingTaskGroup(of: InitiatedPayment.self) { [fixture] group in
            for _ in 0..<8 { group.addTask { try await fixture.service.initiate(PaymentFixture.draft(key: "k-1")) } }
            return try await group.reduce(into: [InitiatedPayment]()) { $0.append($1) }
        }
        #expect(begun.filter(\.isNew).count == 1)
        #expect(Set(begun.map(\.payment.id)).count == 1)
        #expect(fixture.disk.tables.payments.count == 1)
    }

    @Test func `attack: of concurrent requests with one idempotency key and two contents one content begins`()
        async throws
    {
        let outcomes = try await withThrowingTaskGroup(of: PaymentError?.self) { [fixture] group in
            for number in 0..<8 {
                let value = number.isMultiple(of: 2) ? "1.00" : "1000.00"
                group.addTask {
                    try await fixture.refusal {
                        _ = try await fixture.service.initiate(PaymentFixture.draft(value: value, key: "k-1"))
                    }
                }
            }
            return try await group.reduce(into: [PaymentError?]()) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == nil }.count == 4)
        #expect(outcomes.filter { $0 == .idempotencyMismatch }.count == 4)
        #expect(fixture.disk.tables.payments.count == 1)
    }

    @Test func `attack: concurrent requests do not exceed the limit of open payments`() async throws {
        let fixture = PaymentFixture(policy: PaymentPolicy(openPerAccount: 3))
        let begun = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask { try await fixture.refusal { _ = try await fixture.begun() } == nil }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(begun == 3)
    }

    @Test func `a confirmation whose commit nobody heard of is found again, and counts once`() async throws {
        let payment = try await fixture.begun()
        fixture.disk.failNextUnit(.afterCommit)
        await #expect(throws: StoreError.self) { _ = try await fixture.confirm(payment) }
        let again = try await fixture.refusal { _ = try await fixture.confirm(payment) }
        #expect(again == .over(.confirmed))
        let seen = try await fixture.service.find(payment.id, of: PaymentFixture.ada)
        let token = try #require(fixture.service.cardToken(of: seen, for: PaymentFixture.phone))
        #expect(try await fixture.service.redeem(cardToken: token) != nil)
    }

    @Test func `a confirmation that did not become durable can be made again`() async throws {
        let payment = try await fixture.begun()
        fixture.disk.failNextUnit(.beforeCommit)
        await #expect(throws: StoreError.self) { _ = try await fixture.confirm(payment) }
        #expect(try fixture.row(payment).state == .pending)
        _ = try await fixture.confirm(payment)
    }
}
