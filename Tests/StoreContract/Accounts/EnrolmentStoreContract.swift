package import Accounts
package import Kernel
import Testing

/// The contract of every store of enrolments, one case a promise.
package enum EnrolmentStoreContract: String, StorePromise {
    case comesBack = "an enrolment comes back as it was written, by account and provider"
    case once = "an account has one enrolment at a provider, and a name there is one account's"
    case changes = "a face that is put in force or withdrawn has another mark, and is withdrawn once"
    case starts = "a start finds a face that is in force, and none that is withdrawn"
    case again = "a withdrawn face is replaced by another name, and one in force is not"

    /// Checks this promise over empty stores.
    package func check(
        over store: some EnrolmentStore,
        accounts: some AccountStore,
        _ unitOfWork: some UnitOfWork
    ) async throws {
        let subject = EnrolmentsUnderTest(enrolments: store, accounts: accounts, unitOfWork: unitOfWork)
        for number in [1, 2] as [UInt64] {
            let record = try AccountSample.record(number, emails: ["person\(number)@example.com"])
            try await unitOfWork.run { try accounts.insert(record, in: $0) }
        }
        switch self {
        case .comesBack: try await subject.checkWriting()
        case .once: try await subject.checkOnce()
        case .changes: try await subject.checkChanges()
        case .starts: try await subject.checkStarts()
        case .again: try await subject.checkAgain()
        }
    }
}

private struct EnrolmentsUnderTest<Enrolments: EnrolmentStore, Accounts: AccountStore, Work: UnitOfWork>:
    CheckingInUnits
{
    let enrolments: Enrolments
    let accounts: Accounts
    let unitOfWork: Work

    private static var ada: AccountID { AccountSample.id(1) }
    private static var bob: AccountID { AccountSample.id(2) }

    private func face(_ reference: String, isActive: Bool = true) -> Enrolment {
        Enrolment(provider: "mock", reference: reference, isActive: isActive)
    }

    private func insert(_ enrolment: Enrolment, of account: AccountID) async throws {
        try await run { [enrolments] in try enrolments.insert(enrolment, of: account, in: $0) }
    }

    private func found(_ account: AccountID = ada) async throws -> Enrolment? {
        try await run { [enrolments] in try enrolments.find(account, at: "mock", in: $0) }
    }

    private func inForce(_ account: AccountID = ada) async throws -> FaceInForce? {
        try await run { [enrolments] in try enrolments.face(of: account, at: "mock", in: $0) }
    }

    private func setActive(_ isActive: Bool) async throws -> Bool {
        try await run { [enrolments] in try enrolments.setActive(isActive, Self.ada, at: "mock", in: $0) }
    }

    func checkWriting() async throws {
        try await insert(face("a"), of: Self.ada)
        #expect(try await found() == face("a"))
        #expect(try await found(Self.bob) == nil)
        #expect(try await accounts.find(Self.ada)?.enrolments == [face("a")])
        #expect(try await inForce() == FaceInForce(mark: face("a").mark, origin: nil))
        #expect(try await inForce(Self.bob) == nil)
    }

    func checkOnce() async throws {
        try await insert(face("a"), of: Self.ada)
        await #expect(throws: (any Error).self) { try await insert(face("b"), of: Self.ada) }
        await #expect(throws: (any Error).self) { try await insert(face("a"), of: Self.bob) }
        #expect(try await found(Self.bob) == nil)
    }

    func checkChanges() async throws {
        #expect(try await !setActive(true), "there is none")
        try await insert(face("a"), of: Self.ada)
        var marks = Set([try #require(try await found()).mark])
        #expect(try await setActive(true), "it is set up again")
        let again = try #require(try await found())
        marks.insert(again.mark)
        #expect(try await inForce()?.mark == again.mark)
        #expect(try await setActive(false))
        #expect(try await !setActive(false))
        #expect(try await inForce() == nil)
        let withdrawn = try #require(try await found())
        marks.insert(withdrawn.mark)
        #expect(!withdrawn.isActive && withdrawn.reference == "a" && marks.count == 3)
    }

    func checkStarts() async throws {
        let email = try #require(EmailAddress("person1@example.com"))
        func candidate() async throws -> LoginCandidate? {
            try await run { [accounts] in try accounts.candidate(email: email, provider: "mock", in: $0) }
        }
        #expect(try await candidate() == LoginCandidate(account: Self.ada, state: .active, isEnrolled: false))
        try await insert(face("a"), of: Self.ada)
        #expect(try await candidate()?.isEnrolled == true)
        _ = try await setActive(false)
        #expect(try await candidate()?.isEnrolled == false)
    }

    func checkAgain() async throws {
        func put(_ reference: String, of account: AccountID = Self.ada) async throws {
            let enrolment = face(reference)
            try await run { [accounts] in try accounts.put(enrolment, of: account, in: $0) }
        }
        try await put("a")
        await #expect(throws: AccountError.enrolledAlready("mock")) { try await put("b") }
        await #expect(throws: AccountError.providerAccountTaken("a")) { try await put("a", of: Self.bob) }
        _ = try await setActive(false)
        let old = try #require(try await found())
        try await put("b")
        let new = try #require(try await found())
        #expect(new.isActive && new.reference == "b" && new.version > old.version)
    }
}
