import Kernel

/// Makes the codes that verify an address in the app of a signed-in person.
///
/// A code is stored nowhere. It is computed from the account, the session that requested the address, the address and
/// the day, under the key of the links. It consists of letters, because a sign-in code is the only run of digits in any
/// mail. The letters are twenty consonants, so that they form no word (RFC 8628 §6.1). Of 20⁸ codes, four are valid for
/// an account at a time. A guesser has to be signed in to the account, and has as many tries as at a password
/// (``LockoutSubject/addressCode(_:)``). These are a hundred a day, or one chance in 64 million.
extension AddressProofFactory {
    private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)
    private static let length = 8
    /// The shortest validity of a code in milliseconds: a code is made for a day, and accepted on the next one too.
    private static let day: Int64 = 86_400_000

    /// Returns the code for an address, made on the day of that instant, like `BCDF-GHJK`.
    func code(for email: EmailAddress, of account: AccountID, askedIn session: SessionID?, at now: Instant) -> Secret {
        Secret(Self.written(letters(for: email, of: account, askedIn: session, day: now.milliseconds / Self.day)))
    }

    /// Whether the code was mailed to the address today or yesterday, for the opening of the account or for a request
    /// of that session.
    func isGood(
        _ typed: AddressCode,
        for email: EmailAddress,
        of account: AccountID,
        in session: SessionID,
        at now: Instant
    ) -> Bool {
        let today = now.milliseconds / Self.day
        var isGood = false
        // All codes are compared, even after a match.
        for asker in [nil, session] {
            for day in [today, today - 1] {
                let letters = letters(for: email, of: account, askedIn: asker, day: day)
                if ConstantTime.equal(typed.letters, letters) { isGood = true }
            }
        }
        return isGood
    }

    private func letters(
        for email: EmailAddress,
        of account: AccountID,
        askedIn session: SessionID?,
        day: Int64
    ) -> [UInt8] {
        let asker = session?.bits.bytes ?? []
        let digest = digest(["address code", email.text, "\(day)"], account.bits.bytes + asker)
        // 64 bits modulo 20⁸: uneven by less than 2^-29.
        var rest = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return (0..<Self.length).map { _ in
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: UInt64(Self.alphabet.count))
            rest = quotient
            return Self.alphabet[Int(remainder)]
        }
    }

    private static func written(_ letters: [UInt8]) -> String {
        String(decoding: letters.prefix(4), as: UTF8.self) + "-" + String(decoding: letters.suffix(4), as: UTF8.self)
    }

    /// Reads typed letters in either case, and ignores the separators between them.
    static func letters(typed text: String) -> [UInt8]? {
        guard text.utf8.count <= 64 else { return nil }
        let letters = text.uppercased().utf8.filter { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard letters.count == length, letters.allSatisfy(alphabet.contains) else { return nil }
        return Array(letters)
    }
}

/// A typed code that verifies an address.
package struct AddressCode: Sendable {
    let letters: [UInt8]

    /// Reads a typed code; `nil` if it can't be one.
    package init?(typed text: String) {
        guard let letters = AddressProofFactory.letters(typed: text) else { return nil }
        self.letters = letters
    }
}
