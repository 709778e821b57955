import Accounts
import Kernel

/// An account as operators see it.
package struct AccountView: Codable, Sendable, TableRow {
    let id: String
    let name: String
    let state: String
    let emails: [String]
    /// The addresses among them whose owner has proved them.
    let verifiedEmails: [String]
    /// The sign-in name, if it differs from an address, with a mark if it has the form of an address.
    let username: String?
    let attributes: [String: String]
    let enrolments: [String]
    let hasPassword: Bool
    /// Milliseconds since 1970.
    let createdAt: Int64

    init(_ record: AccountRecord) {
        id = record.account.id.description
        name = record.account.displayName
        state = record.account.state.rawValue
        emails = record.emails.map(\.address.text) + [record.claim?.text].compactMap(\.self)
        verifiedEmails = record.emails.filter(\.isVerified).map(\.address.text)
        username = record.username?.shown
        attributes = record.account.attributes.given
        enrolments = record.enrolments.filter(\.isActive).map { "\($0.provider):\($0.reference)" }
        hasPassword = record.passwordHash != nil
        createdAt = record.account.createdAt.milliseconds
    }

    package static let titles = ["ID", "STATE", "NAME", "E-MAIL", "ROLE", "ENROLLED"]

    package var cells: [String] {
        [
            id, state, name, emails.first ?? username ?? "-", attributes["role"] ?? "user",
            enrolments.isEmpty ? "-" : enrolments.map { String($0.prefix { $0 != ":" }) }.joined(separator: ","),
        ]
    }

    /// Returns a sentence that tells what was done with the account.
    func line(_ verb: String, _ more: String = "") -> [String] { ["\(verb) \(id) (\(name))\(more)."] }
}
