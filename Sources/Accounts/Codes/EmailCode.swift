package import Kernel

/// A sign-in code that was requested and sent by mail.
///
/// Its digits are not stored: they are computed from the token of the link in the mail, and the row has digests of
/// both.
package struct EmailCode: Sendable, Equatable {
    /// The random id that the requesting device received.
    package let id: EmailCodeID
    package let recipient: Recipient
    /// The requesting device's own name: the code is valid on no other device.
    package let device: DeviceName
    /// The account's linked device that the request came from, if it proved one.
    package let linkedDevice: DeviceID?
    package let digests: Digests
    package let validity: ValidityPeriod
    package var wrongTries: Int
    /// The time at which the code was redeemed, replaced or used up.
    package var endedAt: Instant?

    package init(
        id: EmailCodeID,
        recipient: Recipient,
        device: DeviceName,
        linkedDevice: DeviceID?,
        digests: Digests,
        validity: ValidityPeriod,
        wrongTries: Int = 0,
        endedAt: Instant? = nil
    ) {
        self.id = id
        self.recipient = recipient
        self.device = device
        self.linkedDevice = linkedDevice
        self.digests = digests
        self.validity = validity
        self.wrongTries = wrongTries
        self.endedAt = endedAt
    }

    /// Whether the code may still be typed.
    func isLive(at now: Instant) -> Bool {
        endedAt == nil && now < validity.expiresAt && wrongTries < EmailCodePolicy.tries
    }

    /// The addressee of a code's mail.
    package struct Recipient: Sendable, Equatable {
        /// The account of the code; a placeholder id for an unknown address.
        package let account: AccountID
        /// A keyed digest of the address that was typed.
        package let address: Digest256

        package init(account: AccountID, address: Digest256) {
            self.account = account
            self.address = address
        }
    }

    /// The stored digests of the two forms in which a mail carries its code.
    package struct Digests: Sendable, Equatable {
        /// A keyed digest of the digits.
        package let digits: Digest256
        /// SHA-256 of the link's token.
        package let link: Digest256

        package init(digits: Digest256, link: Digest256) {
            self.digits = digits
            self.link = link
        }
    }
}

/// The id of a requested code: the `challenge` on the wire.
package struct EmailCodeID: EntityID {
    package static let kind = IDKind.emailCode
    package let bits: UUIDBits
    package init(_ bits: UUIDBits) { self.bits = bits }
}

/// The lifetime and the limits of codes.
///
/// A guesser can try twenty of a million codes a day for an account: one chance in 137 in a year.
package enum EmailCodePolicy {
    package static let lifetime: Duration = .seconds(600)
    /// Wrong tries that end a code.
    package static let tries = 5
    /// Codes in an hour, for each linked device of an account, and for all its other devices together.
    package static let codes = 5
    package static let codeWindow: Duration = .seconds(3600)
    /// Wrong tries in a day, for each linked device and for all other devices together.
    package static let wrongTries = 20
    /// The window of wrong tries: a try may come ten minutes after the code that it is counted with.
    package static let tryWindow: Duration = .seconds(86_400) + lifetime
}

/// The recent use of an account's codes, on one linked device or on all other devices together.
package struct EmailCodeUse: Sendable, Equatable {
    /// The number of codes sent, with the time of the first.
    package var codes = 0
    package var firstCode: Instant?
    /// The number of wrong tries, with the time of the first code that they were for.
    package var wrongTries = 0
    package var firstWrong: Instant?

    package init(codes: Int = 0, firstCode: Instant? = nil, wrongTries: Int = 0, firstWrong: Instant? = nil) {
        self.codes = codes
        self.firstCode = firstCode
        self.wrongTries = wrongTries
        self.firstWrong = firstWrong
    }
}
