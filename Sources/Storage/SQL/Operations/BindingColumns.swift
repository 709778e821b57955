import Kernel
import Operations

/// The columns of an operation's binding.
///
/// They are written at the start unless all keep their defaults. Later they are written only where a page asks
/// something or leads back to an app. So the steps of most logins need no additional write.
struct BindingColumns {
    private let binding: OperationBinding

    /// Returns the columns of a new row, or `nil` where they keep their defaults.
    init?(starting operation: Operation) {
        guard operation.asksFirst || operation.binding.redirectBack != nil || operation.binding.origin != nil else {
            return nil
        }
        binding = operation.binding
    }

    /// Returns `nil` where the columns stay unchanged: an operation without a page that asks has no e-mail address to
    /// erase.
    init?(_ operation: Operation) {
        guard operation.asksFirst || operation.binding.redirectBack != nil else { return nil }
        binding = operation.binding
    }

    /// The column names for `SET` or `INSERT`, in the order of their values.
    static let names = [
        "mode", "pairing_number", "wrong_numbers", "origin_email", "origin_address", "origin_agent",
        "return_url", "return_code", "binding_message",
    ]

    var values: [ColumnValue] {
        [
            binding.mode.rawValue.column, binding.number.column(\.value.column), binding.wrongNumbers.column,
            binding.origin.column(\.email.column), binding.origin.column(\.address.column),
            binding.origin.column(\.agent.column), binding.redirectBack.column(\.url.column),
            (binding.redirectBack?.code).column(\.column), (binding.origin?.message).column(\.column),
        ]
    }

    static let assignments = names.map { "\($0) = ?" }.joined(separator: ", ")
}

extension ColumnReader {
    mutating func binding() throws -> OperationBinding {
        OperationBinding(
            mode: try value("mode"),
            origin: try origin(),
            number: try optionalInteger("pairing_number").flatMap { PairingNumber(Int($0)) },
            wrongNumbers: try count("wrong_numbers"),
            redirectBack: try redirectBack()
        )
    }

    private mutating func redirectBack() throws -> RedirectBack? {
        guard let url = try optionalText("return_url") else { return nil }
        return RedirectBack(url: url, code: try optionalDigest("return_code"))
    }

    private mutating func origin() throws -> LoginOrigin? {
        guard let email = try optionalText("origin_email") else { return nil }
        return LoginOrigin(
            email: email,
            address: try text("origin_address"),
            agent: try text("origin_agent"),
            message: try optionalText("binding_message")
        )
    }
}
