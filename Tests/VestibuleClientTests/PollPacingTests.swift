import Foundation
import Testing

@testable import VestibuleClient

@Suite struct PollPacingTests {
    @Test(arguments: [
        (100.0, 2.0, 0.0, PollPacing.Step.ask(after: .seconds(2))),
        (3, 2, 0, .ask(after: .seconds(2))),
        (2.5, 2, 0, .ask(after: .seconds(1.5))),
        (1, 2, 0, .giveUp(after: .seconds(1))),
        (0.5, 0, 0, .giveUp(after: .seconds(0.5))),
        (-4, 2, 0, .giveUp(after: .zero)),
        (1, 0, 0, .ask(after: .zero)),
        (20, 25, 3, .ask(after: .seconds(19))),
        (20, 25, 25, .giveUp(after: .seconds(20))),
        (20, 25, 0, .ask(after: .seconds(19))),
    ])
    func `the last question leaves time for its answer`(
        left: Double,
        pause: Double,
        notBefore: Double,
        step: PollPacing.Step
    ) {
        let pacing = PollPacing(deadline: .seconds(500), interval: 2)
        #expect(
            pacing.step(now: .seconds(500) - .seconds(left), pause: .seconds(pause), notBefore: .seconds(notBefore))
                == step
        )
    }

    @Test func `pauses after faults lie between the interval and five seconds`() {
        for random in [0.0, 0.5, 0.999] {
            var pacing = PollPacing(deadline: .seconds(500), interval: 2)
            let pauses = (0..<6).map { _ in pacing.pauseAfterFault(retryAfter: nil, random: random) }
            #expect(pauses.allSatisfy { (Duration.seconds(2)...Duration.seconds(5)).contains($0) })
            #expect(pauses == pauses.sorted())
        }
    }

    @Test func `an interval over five seconds is kept after faults`() {
        var pacing = PollPacing(deadline: .seconds(500), interval: 8)
        #expect(pacing.pauseAfterFault(retryAfter: nil, random: 0.9) == .seconds(8))
    }

    @Test func `slow_down lengthens the interval permanently, by five seconds each time and to thirty at most`() {
        var pacing = PollPacing(deadline: .seconds(500), interval: 2)
        pacing.slowDown(to: nil)
        #expect(pacing.interval == .seconds(7))
        #expect(pacing.pause(interval: 2, longPoll: false, took: .zero, moved: false) == .seconds(7))
        pacing.slowDown(to: .seconds(7))
        #expect(pacing.interval == .seconds(12))
        #expect(pacing.pause(interval: 20, longPoll: false, took: .zero, moved: false) == .seconds(20))
        #expect(pacing.pause(interval: 2, longPoll: true, took: .seconds(2), moved: true) == .seconds(10))
        #expect(pacing.pause(interval: 2, longPoll: true, took: .seconds(30), moved: true) == .zero)
        for _ in 0..<9 { pacing.slowDown(to: .seconds(900)) }
        #expect(pacing.interval == .seconds(30))
    }

    @Test func `a good answer forgets the faults before it`() {
        var pacing = PollPacing(deadline: .seconds(500), interval: 1)
        let first = pacing.pauseAfterFault(retryAfter: nil, random: 0.5)
        _ = pacing.pauseAfterFault(retryAfter: nil, random: 0.5)
        #expect(pacing.pause(interval: nil, longPoll: false, took: .zero, moved: false) == .seconds(1))
        #expect(pacing.pauseAfterFault(retryAfter: nil, random: 0.5) == first)
    }
}

@Suite struct ReplyTests {
    private let now = VirtualTime.epoch

    private func pause(_ field: String) -> Duration? {
        let reply = Reply(ClientResponse(status: 503, headers: ["retry-AFTER": field], body: Data()), now: now)
        guard case .faulted(.serverUnavailable(status: 503), let pause) = reply else { return nil }
        return pause
    }

    @Test func `Retry-After is read as seconds and as a date`() {
        #expect(pause("12") == .seconds(12))
        #expect(pause(" 12 ") == .seconds(12))
        #expect(pause("Sun, 15 Jun 2025 15:10:10 GMT") == Reply.longestPause)
        #expect(pause("Sun, 15 Jun 2025 15:06:50 GMT") == .seconds(10))
        #expect(pause("Thu, 01 Jan 1970 00:00:00 GMT") == .zero)
        #expect(pause("999999999999999999999999") == .seconds(30))
        #expect(pause("-5") == nil)
        #expect(pause("soon") == nil)
    }

    @Test func `statuses are sorted by the client's reaction`() {
        func kind(_ status: Int, _ body: String = "") -> String {
            switch Reply(ClientResponse(status: status, headers: [:], body: Data(body.utf8)), now: now) {
            case .answered: "answered"
            case .faulted: "faulted"
            case .busy: "busy"
            case .refused: "refused"
            }
        }
        #expect([200].map { kind($0) } == ["answered"])
        #expect([500, 502, 503, 504, 599].allSatisfy { kind($0) == "faulted" })
        #expect([408, 429].allSatisfy { kind($0) == "busy" })
        #expect([201, 204, 301, 302, 400, 401, 403, 404, 410, 600].allSatisfy { kind($0) == "refused" })
        #expect(kind(400, Answers.problem("slow_down")) == "busy")
    }
}

@Suite struct FaceLoginErrorTests {
    @Test func `every error has a sentence for the person`() {
        let errors: [FaceLoginError] = [
            .userNotFound, .networkError(.timedOut), .networkError(.unreachable("curl 7")),
            .networkError(.serverUnavailable(status: 503)), .invalidURL(.server), .invalidURL(.page), .cannotOpenPage,
            .expired, .cancelled, .alreadyCollected, .storeFailed("errno 28"),
            .authenticationFailed(FaceLogin.Failure(code: .declined, message: "You declined.", retryable: true)),
            .serverRefused(ServerError(status: 400, code: "x", message: "No client.", requestId: "r1")),
        ]
        for error in errors {
            let text = error.errorDescription ?? ""
            #expect(text.hasSuffix("."))
            #expect(!text.contains("curl"))
            #expect(!text.contains("errno"))
        }
        #expect(errors.last?.recoverySuggestion?.contains("r1") == true)
        #expect(errors[11].recoverySuggestion == "Try again.")
    }

    @Test(arguments: [
        ("created", FaceLogin.Hint.created), ("link_opened", .linkOpened), ("user_in_provider", .userInProvider),
        ("processing", .processing), ("x", .unknown("x")),
    ])
    func `hints are typed and open`(wire: String, hint: FaceLogin.Hint) {
        #expect(FaceLogin.Hint(wire: wire) == hint)
    }
}
