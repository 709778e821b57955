package import Kernel

/// The request that a person is asked to approve, exactly as its page shows it and its token contains it.
///
/// It is fixed when the approval begins: no event and no database statement changes it. It is a class, as
/// ``LoginOrigin`` is.
package final class ApprovalRequest: Sendable, Equatable {
    /// The greatest length of the message, in Unicode scalars.
    package static let messageLimit = 200
    /// The greatest length of the payee's name, in Unicode scalars.
    package static let payeeLimit = 100

    package let message: String
    package let amount: Amount?
    package let payee: String?
    /// SHA-256 of the data of the action that the app intends to carry out.
    package let payloadHash: Digest256?

    /// A sum of money.
    package struct Amount: Sendable, Equatable {
        /// A decimal number without a sign: `1250.00`.
        package let value: String
        /// Three capital letters (ISO 4217).
        package let currency: String

        /// `nil` for a value in another notation, or a currency that is not three capital letters.
        ///
        /// A value has no leading zero, at most twelve digits before the point, and at most four after it.
        package init?(value: String, currency: String) {
            let parts = value.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
            guard let whole = parts.first, (1...12).contains(whole.count), whole.allSatisfy(Self.isDigit),
                whole.count == 1 || whole.first != UInt8(ascii: "0")
            else { return nil }
            if parts.count == 2 {
                guard (1...4).contains(parts[1].count), parts[1].allSatisfy(Self.isDigit) else { return nil }
            }
            guard currency.utf8.count == 3,
                currency.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
            else { return nil }
            self.value = value
            self.currency = currency
        }

        private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    }

    /// The text that can't be shown to a person.
    package enum ValidationError: Error, Equatable, Sendable, CaseIterable {
        case message, payee
    }

    /// - Throws: ``ValidationError`` for a text that is empty, too long, or could look like another text on the page.
    package init(message: String, amount: Amount?, payee: String?, payloadHash: Digest256?) throws(ValidationError) {
        guard ShownText.isPlain(message, limit: Self.messageLimit) else { throw .message }
        if let payee { guard ShownText.isPlain(payee, limit: Self.payeeLimit) else { throw .payee } }
        self.message = message
        self.amount = amount
        self.payee = payee
        self.payloadHash = payloadHash
    }

    package static func == (left: ApprovalRequest, right: ApprovalRequest) -> Bool {
        left === right
            || (left.message.utf8.elementsEqual(right.message.utf8) && left.amount == right.amount
                && left.payee.map { Array($0.utf8) } == right.payee.map { Array($0.utf8) }
                && left.payloadHash == right.payloadHash)
    }
}
