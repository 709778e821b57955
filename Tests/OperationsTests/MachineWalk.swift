import Kernel
import Operations
import StoreContract

/// Every state under every event, with every variant of their payloads, at every telling time.
enum MachineWalk {
    struct Edge: Hashable, Comparable, CustomStringConvertible {
        let from: OperationState.Name
        let event: OperationEvent.Name
        let to: OperationState.Name

        var description: String { "\(from.rawValue) --> \(to.rawValue) : \(event.rawValue)" }
        static func < (left: Self, right: Self) -> Bool { left.description < right.description }
    }

    /// One try of an event.
    struct Attempt {
        let operation: Operation
        let event: OperationEvent
        let now: Instant
        let outcome: Result<(next: Operation, effect: OperationMachine.Effect), OperationMachine.TransitionError>
    }

    static let provider = OperationSample.operation(1).provider
    static let otherProvider = ProviderName("another")
    static let followed = ProviderReference("scan-1")
    static let abandoned = ProviderReference("scan-0")

    static let states: [OperationState] =
        OperationSample.everyState + (2...5).map { .pending(OperationSample.scan("scan-1", attempt: $0)) }

    static let events: [OperationEvent] =
        [.openRequested(browser: OperationSample.digest("browser", 1))]
        + [followed, abandoned, ProviderReference("scan-9")].map {
            .scanStarted($0, at: provider, browser: OperationSample.digest("browser", 2))
        }
        + [followed, ProviderReference("scan-9")].map {
            .scanStarted($0, at: otherProvider, browser: OperationSample.digest("browser", 2))
        }
        + statuses.flatMap { status in [followed, abandoned].map { .observed(status, of: $0, at: provider) } }
        + statuses.map { .observed($0, of: followed, at: otherProvider) }
        + ProviderContact.allCases.map { .deadlineReached(after: $0) }
        + [Grant.Collector.proven, .fingerprint(.zero)].map { .redeemRequested(OperationSample.grant(collector: $0)) }
        + [
            .approvalWindowEnded, .acknowledged, .redemptionWindowEnded, .cancelRequested, .superseded,
            .accountBlocked, .deniedNotMe, .numberMismatched, .numberMatched,
            .returned(code: OperationSample.digest("return", 1)),
        ]

    static let statuses: [ScanStatus] =
        ScanProgress.allCases.map { .pending($0) } + ScanStatus.Rejection.allCases.map { .rejected($0) }
        + [.approved, .expired, .canceled, .broken, .unrecognised, .nonsense, .unknownReference]

    /// Around the start, the deadline and the ends of the two windows.
    static let times: [Instant] = [0, 30, 90, 150, 180, 400].flatMap { seconds in
        [-1, 0, 1, 7, 8].map { OperationSample.start + .seconds(seconds) + .milliseconds($0) }
    }

    /// With no number, with one that nobody got wrong yet, and with one try left.
    static let bindings: [OperationBinding] =
        [OperationBinding()] + [0, 2].map { OperationSample.binding(wrongNumbers: $0) }

    static let enrolment = OperationPurpose.enroll(startedBy: OperationSample.session)

    static let approval = OperationPurpose.approve(OperationSample.order, startedBy: OperationSample.session)

    static let subjects: [(isDecoy: Bool, purpose: OperationPurpose)] = [
        (false, .login), (true, .login), (false, enrolment), (false, approval),
    ]

    static let attempts: [Attempt] = states.flatMap { state in
        subjects.flatMap { subject in
            bindings.flatMap { binding in
                let operation = operation(state, isDecoy: subject.isDecoy, binding: binding, purpose: subject.purpose)
                return events.flatMap { event in times.map { now in apply(event, on: operation, now) } }
            }
        }
    }

    static var edges: Set<Edge> {
        Set(
            attempts.compactMap { attempt in
                guard case .success(let step) = attempt.outcome else { return nil }
                return Edge(from: attempt.operation.state.name, event: attempt.event.name, to: step.next.state.name)
            }
        )
    }

    static func operation(
        _ state: OperationState,
        isDecoy: Bool = false,
        binding: OperationBinding = OperationBinding(),
        purpose: OperationPurpose = .login
    ) -> Operation {
        var draft = OperationSample.draft(1, state: state, seq: 4)
        draft.purpose = purpose
        draft.binding = binding
        if isDecoy { draft.account = nil }
        return draft.operation
    }

    static func apply(_ event: OperationEvent, on operation: Operation, _ now: Instant) -> Attempt {
        do throws(OperationMachine.TransitionError) {
            let step = try OperationMachine.apply(event, to: operation, now: now)
            return Attempt(operation: operation, event: event, now: now, outcome: .success(step))
        } catch {
            return Attempt(operation: operation, event: event, now: now, outcome: .failure(error))
        }
    }
}
