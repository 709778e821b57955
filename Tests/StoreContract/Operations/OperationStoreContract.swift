import Testing

/// The contract of every store of operations, one case a promise. A store's own tests run each case over a fresh store:
///
///     @Test(arguments: OperationStoreContract.allCases)
///     func `the store keeps the contract`(_ promise: OperationStoreContract) async throws {
///         try await promise.check(over: makeStore())
///     }
///
/// A store may drop a grant when its operation closes: the closed state holds none. It keeps the ticket's digest.
package enum OperationStoreContract: String, StorePromise {
    case findsByEitherID = "an operation is found by its public id and by its row"
    case keepsEveryState = "every state comes back as it was written"
    case keepsOptionalColumns = "a decoy without device or challenge comes back as it was written"
    case keepsTheBinding = "what a page shows and asks comes back as it was written, and is gone once it is erased"
    case keepsPurposes = "what an operation is for comes back as it was written"
    case refusesDuplicates = "a row id is taken once"
    case swapsOverTheVersion = "an update is written over the version that it was made from, and over no other"
    case writesWhatMoves = "an update carries the binding, the deadline and the provider along"
    case keepsWhatIsBound = "a binding that is noted stays, whatever is written over it"
    case purgesTheOldest = "terminal operations that ended before an instant are purged in batches, live ones never"
    case pagesInRowOrder = "following pages through in row order, without terminal ones that ended earlier"
    case findsOfAnyNode = "a live operation is found by its ids and by the daemon that wrote its newest version"
    case listsTheNewestFirst = "a list filters by account and state, the newest first"
    case listsPageByPage = "a list continues after an operation, also among those of one moment"
    case listsWhatEndedForItsOwner =
        "an account's ended operations are listed, the newest first, without those that came to nothing"
    case listsEnrolmentsApart =
        "an account's ended enrolments are listed apart, the newest first, by what became of them, where and when"
    // T-054
    case givesAScanToOne = "a scan is one operation's, for as long as that is kept"
    case undoesAFailingUnit = "a failing unit undoes all that it wrote and hands its error on"
    case keepsTheNeighbours = "a failing unit leaves its neighbours alone"
    case letsOneSwapWin = "of many updates over the same version exactly one wins"
    case refusesForeignTransactions = "a transaction of another storage is refused"

    /// Checks this promise over a fresh, empty store.
    package func check(over subject: StoreUnderTest) async throws {
        switch self {
        case .findsByEitherID: try await subject.checkFinding()
        case .keepsEveryState: try await subject.checkStates()
        case .keepsOptionalColumns: try await subject.checkOptionalColumns()
        case .keepsTheBinding: try await subject.checkBinding()
        case .keepsPurposes: try await subject.checkPurposes()
        case .refusesDuplicates: try await subject.checkDuplicates()
        case .swapsOverTheVersion: try await subject.checkSwap()
        case .writesWhatMoves: try await subject.checkWhatMoves()
        case .keepsWhatIsBound: try await subject.checkNotedBinding()
        case .purgesTheOldest: try await subject.checkPurge()
        case .pagesInRowOrder: try await subject.checkPaging()
        case .findsOfAnyNode: try await subject.checkNodes()
        case .listsTheNewestFirst: try await subject.checkList()
        case .listsPageByPage: try await subject.checkListPages()
        case .listsWhatEndedForItsOwner: try await subject.checkOwnersList()
        case .listsEnrolmentsApart: try await subject.checkEnrolments()
        case .givesAScanToOne: try await subject.checkClaims()
        case .undoesAFailingUnit: try await subject.checkRollback()
        case .keepsTheNeighbours: try await subject.checkNeighbours()
        case .letsOneSwapWin: try await subject.checkRace()
        case .refusesForeignTransactions: try await subject.checkForeignTransaction()
        }
    }
}
