import GRDB
import Kernel
import Operations

/// The columns that say what an operation is for; they never change.
struct PurposeColumns {
    let kind: ColumnValue
    let startedBy: ColumnValue

    init(_ purpose: OperationPurpose) {
        kind = purpose.kind.rawValue.column
        startedBy = purpose.startedBy.column(\.column)
    }
}

extension Row {
    /// What the operation of the row is for.
    func purpose() throws -> OperationPurpose {
        switch try value("kind", OperationKind.self) {
        case .login: .login
        case .enroll: .enroll(startedBy: try id("started_by"))
        }
    }
}
