import Kernel
import Operations

/// The columns for an operation's purpose, which are written with the new row and never changed.
struct PurposeColumns {
    let kind: ColumnValue
    private let purpose: OperationPurpose

    init(_ purpose: OperationPurpose) {
        kind = purpose.kind.rawValue.column
        self.purpose = purpose
    }

    /// The columns besides `kind` that an `INSERT` must name: logins need none.
    var names: [String] {
        switch purpose {
        case .login: []
        case .enroll: ["started_by"]
        case .approve: ["started_by"] + Self.approval
        }
    }

    var values: [ColumnValue] {
        switch purpose {
        case .login: []
        case .enroll(let session): [session.column]
        case .approve(let approval, let session):
            [
                session.column, approval.message.column, approval.amount.column(\.value.column),
                approval.amount.column(\.currency.column), approval.payee.column(\.column),
                approval.payloadHash.column(\.column),
            ]
        }
    }

    /// The columns that a `SELECT` must name.
    static let selected = ["kind", "started_by"] + approval

    private static let approval = [
        "approval_message", "approval_amount", "approval_currency", "approval_payee", "approval_payload",
    ]
}

extension ColumnReader {
    /// Returns the purpose of the row's operation.
    mutating func purpose() throws -> OperationPurpose {
        switch try value("kind", OperationKind.self) {
        case .login: .login
        case .enroll: .enroll(startedBy: try id("started_by"))
        case .approve: .approve(try approval(), startedBy: try id("started_by"))
        }
    }

    private mutating func approval() throws -> ApprovalRequest {
        var amount: ApprovalRequest.Amount?
        if let value = try optionalText("approval_amount") {
            amount = ApprovalRequest.Amount(value: value, currency: try text("approval_currency"))
            guard amount != nil else { throw StoreError.corrupt(cause: "column approval_amount can't be read") }
        }
        let message = try text("approval_message")
        let payee = try optionalText("approval_payee")
        let payload = try optionalDigest("approval_payload")
        do throws(ApprovalRequest.ValidationError) {
            return try ApprovalRequest(message: message, amount: amount, payee: payee, payloadHash: payload)
        } catch {
            throw StoreError.corrupt(cause: "column approval_\(error) can't be read")
        }
    }
}
