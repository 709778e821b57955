import Kernel
import Operations
import StoreContract
import Testing

@Suite struct ScanPatienceTests {
    private let scan = OperationSample.scan()

    // T-050
    @Test(arguments: [ScanStatus.unrecognised, .nonsense])
    func `unreadable answers end a scan after fifteen seconds, however many they are`(_ answer: ScanStatus) {
        var patience = ScanPatience(reference: scan.reference)
        let first = scan.startedAt + .seconds(60)
        for second in 0..<15 {
            #expect(patience.judge(answer, of: scan, at: first + .seconds(Int64(second))) == answer)
        }
        #expect(patience.judge(answer, of: scan, at: first + .seconds(15)) == .broken)
    }

    @Test func `a readable answer restarts the fifteen seconds of unreadable ones`() {
        var patience = ScanPatience(reference: scan.reference)
        let first = scan.startedAt + .seconds(60)
        _ = patience.judge(.nonsense, of: scan, at: first)
        _ = patience.judge(.pending(.processing), of: scan, at: first + .seconds(10))
        #expect(patience.judge(.nonsense, of: scan, at: first + .seconds(11)) == .nonsense)
        #expect(patience.judge(.nonsense, of: scan, at: first + .seconds(25)) == .nonsense)
        #expect(patience.judge(.nonsense, of: scan, at: first + .seconds(26)) == .broken)
    }

    @Test func `an unknown scan is tolerated for fifteen seconds from its start`() {
        var patience = ScanPatience(reference: scan.reference)
        let end = scan.startedAt + .seconds(15)
        #expect(patience.judge(.unknownReference, of: scan, at: scan.startedAt) == .unknownReference)
        #expect(patience.judge(.unknownReference, of: scan, at: end - .milliseconds(1)) == .unknownReference)
        #expect(patience.judge(.unknownReference, of: scan, at: end) == .broken)
    }

    @Test func `a scan that was known and no longer is, as behind a proxy's own 404, has fifteen seconds as well`() {
        var patience = ScanPatience(reference: scan.reference)
        let lost = scan.startedAt + .seconds(60)
        _ = patience.judge(.pending(.processing), of: scan, at: lost - .seconds(1))
        #expect(patience.judge(.unknownReference, of: scan, at: lost) == .unknownReference)
        #expect(patience.judge(.unknownReference, of: scan, at: lost + .milliseconds(14_999)) == .unknownReference)
        #expect(patience.judge(.unknownReference, of: scan, at: lost + .seconds(15)) == .broken)
    }

    @Test func `a restarted scan has its own fifteen seconds`() {
        var patience = ScanPatience(reference: scan.reference)
        _ = patience.judge(.unrecognised, of: scan, at: scan.startedAt)
        patience.noteSilence(of: scan)
        let second = OperationSample.scan("scan-2", attempt: 2)
        #expect(patience.judge(.unrecognised, of: second, at: scan.startedAt + .seconds(20)) == .unrecognised)
        #expect(!patience.isSuspect)
    }

    @Test func `a scan is suspect while its last check had no answer that makes sense`() {
        var patience = ScanPatience(reference: scan.reference)
        #expect(!patience.isSuspect)
        patience.noteSilence(of: scan)
        #expect(patience.isSuspect)
        _ = patience.judge(.pending(.processing), of: scan, at: scan.startedAt)
        #expect(!patience.isSuspect)
        _ = patience.judge(.nonsense, of: scan, at: scan.startedAt)
        #expect(patience.isSuspect)
    }

    @Test func `an outage between two unreadable answers counts as no part of their time`() {
        var patience = ScanPatience(reference: scan.reference)
        let first = scan.startedAt + .seconds(10)
        #expect(patience.judge(.nonsense, of: scan, at: first) == .nonsense)
        patience.noteSilence(of: scan)
        #expect(patience.judge(.nonsense, of: scan, at: first + .seconds(20)) == .nonsense)
        #expect(patience.judge(.nonsense, of: scan, at: first + .seconds(35)) == .broken)
    }

    @Test func `an outage in which the scan was never asked parts two spells of unreadable answers`() {
        var patience = ScanPatience(reference: scan.reference)
        let first = scan.startedAt + .seconds(10)
        #expect(patience.judge(.nonsense, of: scan, at: first) == .nonsense)
        #expect(patience.judge(.nonsense, of: scan, at: first + .seconds(60)) == .nonsense)
        #expect(patience.judge(.nonsense, of: scan, at: first + .seconds(75)) == .broken)
    }

    @Test func `an answer that can be read is acted on as it is`() {
        var patience = ScanPatience(reference: scan.reference)
        let late = scan.startedAt + .seconds(100)
        for status in [
            ScanStatus.approved, .rejected(.notMatched), .expired, .canceled, .broken, .pending(.processing),
        ] {
            #expect(patience.judge(status, of: scan, at: late) == status)
        }
    }
}
