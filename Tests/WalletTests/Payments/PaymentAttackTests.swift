import Kernel
import MemoryStore
import StoreContract
import Testing

@testable import Wallet

/// Tests attacks on payments.
struct PaymentAttackTests {
    private let fixture = PaymentFixture()
    private struct InjectedError: Error {}

    @Test func `attack: a payment that is cancelled, confirmed or expired is not confirmed, and takes no proof`()
        async throws
    {
        let (cancelled, expired) = (try await fixture.begun(), try await fixture.begun())
        let confirmed = try await fixture.confirmed().payment
        try await fixture.service.cancel(cancelled.id, of: PaymentFixture.ada)
        let proofs = fixture.world.proofs
        for (payment, status) in [(cancelled, PaymentStatus.cancelled), (confirmed, .confirmed)] {
            let refusal = try await fixture.refusal { _ = try await fixture.confirm(payment) }
            #expect(refusal == .over(status))
        }
        fixture.time.advance(by: .seconds(300))
        let refusal = try await fixture.refusal { _ = try await fixture.confirm(expired) }
        #expect(refusal == .over(.expired))
        #expect(fixture.world.proofs == proofs, "nobody's challenge is used up")
    }

    @Test func `a payment is confirmed up to its last millisecond`() async throws {
        let payment = try await fixture.begun()
        fixture.time.advance(by: .milliseconds(299_999))
        _ = try await fixture.confirm(payment)
    }

    // T-150
    @Test func `attack: another account's payment is not found`() async throws {
        let payment = try await fixture.begun()
        let (service, bob) = (fixture.service, PaymentFixture.bob)
        let refusals = try await [
            fixture.refusal { _ = try await service.find(payment.id, of: bob) },
            fixture.refusal { try await service.cancel(payment.id, of: bob) },
            fixture.refusal { _ = try await fixture.confirm(payment, as: bob, in: PaymentFixture.bobsPhone) },
            fixture.refusal { _ = try await service.find(PaymentID(UUIDBits(high: 1, low: 1)), of: bob) },
        ]
        #expect(refusals == [.notFound, .notFound, .notFound, .notFound])
        #expect(try fixture.row(payment) == payment && fixture.world.proofs == 0)
    }

    // T-150
    @Test func `attack: another account's card or session is not found`() async throws {
        let card = try PaymentFixture.draft(card: PaymentFixture.bobsCard)
        let session = try PaymentFixture.draft(in: PaymentFixture.bobsPhone)
        let first = try await fixture.refusal { _ = try await fixture.begun(card) }
        let second = try await fixture.refusal { _ = try await fixture.begun(session) }
        #expect(first == .cardNotFound && second == .sessionOver)
        let payment = try await fixture.begun()
        let third = try await fixture.refusal { _ = try await fixture.confirm(payment, in: PaymentFixture.bobsPhone) }
        #expect(third == .sessionOver)
        #expect(try fixture.row(payment) == payment)
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let refusal: PaymentError
        let body: @Sendable (inout PaymentWorld.State) -> Void
    }

    static let changes = [
        Change(testDescription: "the card is removed", refusal: .cardNotFound) { $0.cards[PaymentFixture.card] = nil },
        Change(testDescription: "the session is revoked", refusal: .sessionOver) {
            $0.sessions[PaymentFixture.phone] = nil
        },
        Change(testDescription: "the account is disabled", refusal: .sessionOver) {
            $0.disabled = [PaymentFixture.ada]
        },
    ]

    // T-145
    @Test(arguments: changes)
    func `attack: a payment is not begun, confirmed or redeemed after its card, session or account has ended`(
        _ change: Change
    ) async throws {
        let waiting = try await fixture.begun()
        let confirmed = try await fixture.confirmed(PaymentFixture.draft(key: "k-1"))
        fixture.world.change(change.body)
        let proofs = fixture.world.proofs
        let draft = try PaymentFixture.draft(card: PaymentFixture.card)
        let first = try await fixture.refusal { _ = try await fixture.begun(draft) }
        let second = try await fixture.refusal { _ = try await fixture.confirm(waiting) }
        #expect(first == change.refusal && second == change.refusal)
        #expect(fixture.world.proofs == proofs)
        #expect(try fixture.row(waiting) == waiting)
        #expect(try await fixture.service.redeem(cardToken: confirmed.cardToken) == nil)
        #expect(try fixture.row(confirmed.payment) == confirmed.payment)
    }

    // T-149
    @Test func `attack: a card token is accepted for 119,999 ms and refused at 120,000`() async throws {
        let (early, late) = (try await fixture.confirmed(), try await fixture.confirmed())
        fixture.time.advance(by: .milliseconds(119_999))
        #expect(try await fixture.service.redeem(cardToken: early.cardToken) != nil)
        fixture.time.advance(by: .milliseconds(1))
        #expect(try await fixture.service.redeem(cardToken: late.cardToken) == nil)
    }

    // T-149
    @Test func `attack: a guessed or changed card token is refused and redeems nothing`() async throws {
        let confirmed = try await fixture.confirmed()
        let text = confirmed.cardToken.expose()
        let rows = fixture.disk.tables.payments
        let guesses = [
            "", "vct_", String(text.dropFirst(4)), text + "A", String(text.dropLast()), text.uppercased(),
            "vct_" + String(repeating: "A", count: 43), confirmed.payment.id.description, confirmed.payment.challenge,
            "vct_" + confirmed.payment.challenge, "vct_" + Base64URL.encode(confirmed.confirmation.tokenDigest.bytes),
            " " + text, text + "\n", String(repeating: "v", count: 1_000_000),
        ]
        for guess in guesses {
            #expect(try await fixture.service.redeem(cardToken: Secret(guess)) == nil, "\(guess.prefix(60))")
        }
        #expect(fixture.disk.tables.payments == rows)
        #expect(try await fixture.service.redeem(cardToken: confirmed.cardToken) != nil)
    }

    // T-149
    @Test func `attack: the card token of an unconfirmed payment is refused`() async throws {
        let (pending, cancelled) = (try await fixture.begun(), try await fixture.begun())
        try await fixture.service.cancel(cancelled.id, of: PaymentFixture.ada)
        for payment in [pending, cancelled] {
            #expect(try await fixture.service.redeem(cardToken: fixture.factory.token(of: payment.id)) == nil)
        }
    }

    // RTS (EU) 2018/389 Art. 4(3)(b).
    // T-146
    @Test func `attack: five wrong proofs cancel a payment, and a right one is refused afterwards`() async throws {
        let payment = try await fixture.begun()
        for count in 1...5 {
            let refusal = try await fixture.refusal { _ = try await fixture.confirm(payment, holds: false) }
            #expect(refusal == .wrongProof)
            #expect(try fixture.row(payment).wrongProofs == count)
        }
        let refusal = try await fixture.refusal { _ = try await fixture.confirm(payment) }
        #expect(refusal == .over(.cancelled), "a good one comes too late")
        #expect(fixture.world.auditLog.contains("payment.refused \(payment.id) 12.50 EUR device-key"))
    }

    // T-146
    @Test func `attack: of eight concurrent wrong proofs five are counted`() async throws {
        let payment = try await fixture.begun()
        let refusals = try await withThrowingTaskGroup(of: PaymentError?.self) { [fixture] group in
            for _ in 0..<8 {
                group.addTask { try await fixture.refusal { _ = try await fixture.confirm(payment, holds: false) } }
            }
            return try await group.reduce(into: [PaymentError?]()) { $0.append($1) }
        }
        #expect(refusals.filter { $0 == .wrongProof }.count == 5)
        #expect(refusals.filter { $0 == .over(.cancelled) }.count == 3)
        #expect(try fixture.row(payment).wrongProofs == 5)
    }

    @Test func `a fault of the proof undoes everything, and counts against nobody`() async throws {
        let payment = try await fixture.begun()
        await #expect(throws: InjectedError.self) {
            _ = try await fixture.service.confirm(
                payment.id,
                of: PaymentFixture.ada,
                session: PaymentFixture.phone,
                by: .face
            ) { _ in throw InjectedError() }
        }
        #expect(try fixture.row(payment) == payment)
    }

    @Test func `a proof's writes become durable with the confirmation, and with its refusal`() async throws {
        for holds in [true, false] {
            let payment = try await fixture.begun()
            let other = PaymentSample.payment(holds ? 1 : 2, of: PaymentFixture.bob)
            _ = try await fixture.refusal { [fixture] in
                _ = try await fixture.service.confirm(
                    payment.id,
                    of: PaymentFixture.ada,
                    session: PaymentFixture.phone,
                    by: .passkey
                ) { transaction in
                    // Stands for a challenge that is used up.
                    try fixture.storage.payments.insert(other, in: transaction)
                    return holds
                }
            }
            #expect(fixture.disk.tables.payments[other.id] == other, "holds: \(holds)")
        }
    }
}
