import Kernel
import Operations
import Testing

extension StoreUnderTest {
    private func ended(_ number: UInt64, after seconds: Int64) -> Operation {
        operation(number, state: .failed(.expired, at: OperationSample.start + .seconds(seconds)), seq: 2)
    }

    func checkPurge() async throws {
        let closed = operation(8, state: .closed(OperationSample.closure()), seq: 5)
        let live = OperationSample.everyState.filter { !$0.isTerminal }.enumerated().map { index, state in
            operation(UInt64(100 + index), state: state, createdAt: OperationSample.start - .seconds(90_000))
        }
        try await insert([5, 1, 4, 2, 3].map { ended($0, after: Int64($0)) } + [closed] + live)
        let limit = OperationSample.start + .seconds(4)
        #expect(try await purge(endedBefore: limit, limit: 2) == 2)
        #expect(try await remaining(of: 1...5) == [3, 4, 5], "the oldest go first")
        #expect(try await purge(endedBefore: limit, limit: 2) == 1, "what ended at the instant itself stays")
        #expect(try await purge(endedBefore: limit, limit: 2) == 0)
        #expect(try await remaining(of: 1...8) == [4, 5, 8])
        #expect(try await purge(endedBefore: OperationSample.start + .seconds(90_000), limit: 100) == 3)
        let left = try await store.list(OperationFilter(limit: 1000))
        #expect(Set(left.map(\.id)) == Set(live.map(\.id)), "live operations are never purged")
    }

    private func purge(endedBefore instant: Instant, limit: Int) async throws -> Int {
        try await unitOfWork.run { [purging] in try purging(instant, limit, $0) }
    }

    private func remaining(of numbers: ClosedRange<UInt64>) async throws -> [UInt64] {
        var found: [UInt64] = []
        for number in numbers where try await store.find(row: operation(number).id) != nil { found.append(number) }
        return found
    }

    func checkPaging() async throws {
        let live = [9, 3, 7, 1].map { operation($0) }
        try await insert(live + [ended(2, after: 10), ended(4, after: 20), ended(8, after: 30)])
        let endedAfter = OperationSample.start + .seconds(20)
        var pages: [[UInt64]] = []
        var last: OperationRowID?
        repeat {
            let page = try await store.following(last, endedAfter: endedAfter, limit: 2)
            pages.append(page.map(\.id.bits.low))
            last = page.last?.id
        } while last != nil
        #expect(pages == [[1, 3], [4, 7], [8, 9], []], "one that ended at the instant itself still comes")
        let all = try await store.following(nil, endedAfter: OperationSample.start, limit: 100)
        #expect(all.map(\.id.bits.low) == [1, 2, 3, 4, 7, 8, 9])
        #expect(all.first { $0.id.bits.low == 4 } == ended(4, after: 20), "whole operations, not their ids alone")
    }

    func checkList() async throws {
        let start = OperationSample.start
        var decoy = OperationSample.draft(4, createdAt: start + .seconds(40))
        decoy.account = nil
        decoy.device = nil
        try await insert([
            operation(1, createdAt: start + .seconds(10)), operation(3, createdAt: start + .seconds(30)),
            operation(2, state: .failed(.expired, at: start), createdAt: start + .seconds(20)),
            decoy.operation,
        ])
        func numbers(_ filter: OperationFilter) async throws -> [UInt64] {
            try await store.list(filter).map(\.id.bits.low)
        }
        #expect(try await numbers(OperationFilter()) == [4, 3, 2, 1])
        #expect(try await numbers(OperationFilter(limit: 2)) == [4, 3])
        #expect(try await numbers(OperationFilter(account: account)) == [3, 2, 1])
        #expect(try await numbers(OperationFilter(account: account, states: [.created])) == [3, 1])
        #expect(try await numbers(OperationFilter(states: [.failed, .closed])) == [2])
        #expect(try await numbers(OperationFilter(account: AccountID(UUIDBits(high: 1, low: 1)))).isEmpty)
        let client = decoy.operation.request.policy.clientID
        #expect(try await numbers(OperationFilter(client: client)) == [4, 3, 2, 1])
        #expect(try await numbers(OperationFilter(client: client + "x")).isEmpty)
        var late = OperationFilter(states: [.created])
        late.since = start + .seconds(30)
        #expect(try await numbers(late) == [4, 3], "those that began then or later")
    }

    func checkListPages() async throws {
        let start = OperationSample.start
        // Three of one moment: their ids decide.
        let moments: [(UInt64, Int64)] = [(5, 10), (3, 20), (1, 20), (4, 20), (2, 30)]
        try await insert(moments.map { operation($0, createdAt: start + .seconds($1)) })
        var filter = OperationFilter(limit: 2)
        var pages: [[UInt64]] = []
        while let last = try await page(&pages, filter) { filter.after = OperationFilter.Position(last) }
        #expect(pages == [[2, 1], [3, 4], [5], []])
        filter.after = nil
        filter.account = account
        filter.states = [.created]
        let first = try await store.list(filter)
        filter.after = first.last.map { OperationFilter.Position($0) }
        #expect(try await store.list(filter).map(\.id.bits.low) == [3, 4], "a filter is kept from page to page")
    }

    private func page(_ pages: inout [[UInt64]], _ filter: OperationFilter) async throws -> Operation? {
        let found = try await store.list(filter)
        pages.append(found.map(\.id.bits.low))
        return found.last
    }

    func checkOwnersList() async throws {
        let start = OperationSample.start
        let ends = FailureCode.allCases.map { OperationState.failed($0, at: start + .seconds(9)) }
        for (index, state) in (ends + [.closed(OperationSample.closure()), .created]).enumerated() {
            let number = UInt64(index + 1)
            try await insert([operation(number, state: state, createdAt: start + .seconds(Int64(index)))])
        }
        var another = OperationSample.draft(90, state: .closed(OperationSample.closure()))
        another.account = nil
        another.device = nil
        try await insert([another.operation])
        let nothing: Set<FailureCode> = [.expired, .canceled, .superseded]
        let expected = FailureCode.allCases.enumerated().filter { !nothing.contains($1) }.map { UInt64($0.offset + 1) }
        let newestFirst = [UInt64(FailureCode.allCases.count + 1)] + expected.reversed()
        #expect(try await store.listEnded(of: account, limit: 50).map(\.id.bits.low) == newestFirst)
        #expect(try await store.listEnded(of: account, limit: 3).map(\.id.bits.low) == Array(newestFirst.prefix(3)))
        #expect(try await store.listEnded(of: AccountID(UUIDBits(high: 1, low: 1)), limit: 9).isEmpty)
    }

    func checkEnrolments() async throws {
        let start = OperationSample.start
        func closed(_ seconds: Int64) -> OperationState {
            .closed(Closure(at: start + .seconds(seconds), session: OperationSample.session, collector: .proven))
        }
        let states = [
            closed(10), .failed(.notMatched, at: start + .seconds(20)), .failed(.expired, at: start + .seconds(30)),
            closed(40), .pending(OperationSample.scan("scan-1", attempt: 1, progress: .processing)),
        ]
        var enrolments: [Operation] = []
        for (index, state) in states.enumerated() {
            let number = UInt64(index + 1)
            var draft = OperationSample.draft(number, state: state, createdAt: start + .seconds(Int64(index)))
            draft.account = account
            draft.device = device
            draft.purpose = .enroll(startedBy: OperationSample.session)
            if number == 4 { draft.provider = ProviderName("other") }
            enrolments.append(draft.operation)
        }
        try await insert(enrolments)
        try await insert((6...9).map { operation($0, state: closed(50), createdAt: start + .seconds(60)) })
        func numbers(
            _ outcome: EnrolmentFilter.Outcome,
            _ provider: String? = nil,
            limit: Int = 9
        ) async throws -> [UInt64] {
            let filter = EnrolmentFilter(
                account: account,
                outcome: outcome,
                provider: provider.map { ProviderName($0) },
                limit: limit
            )
            return try await store.listEnrolments(filter).map(\.id.bits.low)
        }
        #expect(try await numbers(.any) == [4, 2, 1])
        #expect(try await numbers(.any, limit: 2) == [4, 2])
        #expect(try await numbers(.completed) == [4, 1])
        #expect(try await numbers(.completed, "scripted") == [1])
        #expect(try await numbers(.completedWithin(after: start, until: start + .seconds(10))) == [1])
        #expect(try await numbers(.completedWithin(after: start + .seconds(10), until: start + .seconds(39))).isEmpty)
        #expect(try await !store.listEnded(of: account, limit: 50).contains { $0.request.purpose.kind == .enroll })
    }
}
