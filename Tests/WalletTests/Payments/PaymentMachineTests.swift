import Kernel
import StoreContract
import Testing

@testable import Wallet

/// Every state under every event, at every telling time.
struct PaymentMachineTests {
    /// One try of an event.
    private struct TransitionCase: CustomStringConvertible {
        let payment: Payment
        let event: PaymentEvent
        let now: Instant
        let outcome: Result<Payment, PaymentMachine.TransitionError>

        var description: String { "\(event) on \(payment.state) at \(now.milliseconds)" }
        var next: Payment? { try? outcome.get() }
    }

    private static let events: [PaymentEvent] =
        PaymentMethod.allCases.map { .confirmRequested(PaymentSample.confirmation(5, by: $0)) }
        + [.proofFailed, .cancelRequested, .deadlineReached, .redeemRequested]

    /// Around the payment's deadline (300 s) and the end of its card token (120 s).
    private static let times: [Instant] = [0, 120, 300, 900].flatMap { seconds in
        [-1, 0, 1].map { PaymentSample.now + .seconds(seconds) + .milliseconds($0) }
    }

    private static let cases: [TransitionCase] = PaymentSample.everyState.flatMap { state in
        (0...4).flatMap { wrong in
            let payment = PaymentSample.payment(1, of: PaymentFixture.ada, state: state, wrongProofs: wrong, version: 3)
            return events.flatMap { event in times.map { attempt(event, on: payment, $0) } }
        }
    }

    private static func attempt(_ event: PaymentEvent, on payment: Payment, _ now: Instant) -> TransitionCase {
        let outcome = Result { () throws(PaymentMachine.TransitionError) in
            try PaymentMachine.apply(event, to: payment, now: now)
        }
        return TransitionCase(payment: payment, event: event, now: now, outcome: outcome)
    }

    /// Returns the expected result, written in another way.
    private static func expected(_ trial: TransitionCase) -> Result<PaymentState, PaymentMachine.TransitionError> {
        let (payment, now) = (trial.payment, trial.now)
        switch (payment.state, trial.event) {
        case (.pending, .deadlineReached):
            return now < payment.validity.expiresAt ? .failure(.tooEarly) : .success(.expired)
        case (.pending, .redeemRequested): return .failure(.notInThisState)
        case (.pending, _) where now >= payment.validity.expiresAt: return .failure(.tooLate)
        case (.pending, .confirmRequested(let confirmation)): return .success(.confirmed(confirmation))
        case (.pending, .cancelRequested): return .success(.cancelled(at: now))
        case (.pending, .proofFailed): return .success(payment.wrongProofs == 4 ? .cancelled(at: now) : .pending)
        case (.confirmed(let confirmation), .redeemRequested):
            guard confirmation.redeemedAt == nil else { return .failure(.alreadyRedeemed) }
            return now < confirmation.tokenExpiresAt
                ? .success(.confirmed(confirmation.redeemed(at: now))) : .failure(.tooLate)
        case (.confirmed, _), (.cancelled, _), (.expired, _): return .failure(.notInThisState)
        }
    }

    @Test func `every state takes and refuses every event as the rules say`() {
        #expect(Self.cases.count == PaymentSample.everyState.count * 5 * Self.events.count * Self.times.count)
        for trial in Self.cases { #expect(trial.outcome.map(\.state) == Self.expected(trial), "\(trial)") }
    }

    @Test func `a step raises the version by one, and changes nothing that the payment is about`() {
        for trial in Self.cases {
            guard let next = trial.next else { continue }
            #expect(next.version == trial.payment.version + 1)
            #expect(next.wrongProofs == trial.payment.wrongProofs + (trial.event == .proofFailed ? 1 : 0))
            #expect(next == trial.payment.like(next.state, wrongProofs: next.wrongProofs))
            #expect(next.hash == trial.payment.hash)
        }
    }

    @Test func `nothing but a proof on a pending payment before its deadline confirms`() {
        for trial in Self.cases {
            guard let next = trial.next, case .confirmed(let confirmation) = next.state else { continue }
            if trial.event == .redeemRequested { continue }
            #expect(trial.event == .confirmRequested(confirmation))
            #expect(trial.payment.state == .pending && trial.now < trial.payment.validity.expiresAt)
        }
    }

    @Test func `a card token is spent once, and the confirmation's person, time and method stay`() {
        for trial in Self.cases where trial.event == .redeemRequested {
            guard case .confirmed(let old) = trial.payment.state, case .confirmed(let new)? = trial.next?.state
            else { continue }
            #expect(old.redeemedAt == nil && new == old.redeemed(at: trial.now))
            #expect(!new.isOpen(at: trial.now) && old.isOpen(at: trial.now))
        }
    }

    // RTS (EU) 2018/389 Art. 4(3)(b): no more than five.
    @Test func `attack: the fifth wrong proof cancels a payment`() throws {
        var payment = PaymentSample.payment(1, of: PaymentFixture.ada)
        for count in 1...5 {
            #expect(payment.state == .pending)
            payment = try PaymentMachine.apply(.proofFailed, to: payment, now: PaymentSample.now)
            #expect(payment.wrongProofs == count)
        }
        #expect(payment.state == .cancelled(at: PaymentSample.now))
    }

    @Test func `a payment is seen as expired from its deadline on, whether anybody wrote that or not`() {
        let payment = PaymentSample.payment(1, of: PaymentFixture.ada)
        let before = payment.validity.expiresAt - .milliseconds(1)
        #expect(PaymentMachine.seen(payment, at: before) == payment)
        #expect(PaymentMachine.seen(payment, at: payment.validity.expiresAt).state == .expired)
        for state in PaymentSample.everyState where state != .pending {
            let over = payment.like(state)
            #expect(PaymentMachine.seen(over, at: payment.validity.expiresAt + .seconds(900)) == over)
        }
    }
}
