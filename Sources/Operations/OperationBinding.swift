package import Kernel

/// What ties an operation to the person at its page, beside what ties it to its client.
package struct OperationBinding: Sendable, Equatable {
    package let mode: LoginMode
    /// Where it was started from; only what a page is to show is kept, and gone once the operation has ended.
    package let origin: LoginOrigin?
    /// The number that the app shows and the person types on the page (`cross-device`); gone at the end too.
    package let number: PairingNumber?
    /// How often a wrong number was typed.
    package var wrongNumbers: Int { Int(wrongNumberCount) }
    private let wrongNumberCount: UInt8
    /// How the browser finds back to the app.
    package let handback: Handback?

    package init(
        mode: LoginMode = .sameDevice,
        origin: LoginOrigin? = nil,
        number: PairingNumber? = nil,
        wrongNumbers: Int = 0,
        handback: Handback? = nil
    ) {
        self.mode = mode
        self.origin = origin
        self.number = number
        wrongNumberCount = UInt8(clamping: wrongNumbers)
        self.handback = handback
    }

    /// How often a wrong number may be typed; the last of them ends the operation.
    package static let maximumWrongNumbers = 3

    /// After one more wrong number.
    func afterWrongNumber() -> OperationBinding {
        OperationBinding(
            mode: mode,
            origin: origin,
            number: number,
            wrongNumbers: wrongNumbers + 1,
            handback: handback
        )
    }

    /// With that code as the one that a collection takes, or with none any more.
    func handingBack(_ code: Digest256?) -> OperationBinding {
        OperationBinding(
            mode: mode,
            origin: origin,
            number: number,
            wrongNumbers: wrongNumbers,
            handback: handback.map { Handback(url: $0.url, code: code) }
        )
    }

    /// What is left of it at the end.
    func ended() -> OperationBinding {
        OperationBinding(
            mode: mode,
            wrongNumbers: wrongNumbers,
            handback: handback.map { Handback(url: $0.url) }
        )
    }
}

/// Where the app and the page are.
package enum LoginMode: String, Sendable, CaseIterable {
    /// The app opens the page on its own device.
    case sameDevice = "same-device"
    /// The page is opened on another device, and the person carries a number over.
    case crossDevice = "cross-device"
}

/// Two digits that an app shows and its person types on the page.
///
/// The page never shows them: who was sent the link does not have them.
package struct PairingNumber: Sendable, Equatable {
    /// 0 to 99.
    package var value: Int { Int(byte) }
    private let byte: UInt8

    /// `nil` for what has not two digits.
    package init?(_ value: Int) {
        guard (0...99).contains(value) else { return nil }
        byte = UInt8(value)
    }

    /// What a person typed: two digits, with or without space around them.
    package init?(typed text: String) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") }
        guard digits.count == 2, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        byte = (digits[0] - UInt8(ascii: "0")) * 10 + (digits[1] - UInt8(ascii: "0"))
    }

    /// A uniform one, from a secure source.
    package init(_ facts: Facts) {
        while true {
            // 200 of the 256 values of a byte, so that each number is as likely as any other.
            if let drawn = facts.randomBytes(1).first, drawn < 200 {
                byte = drawn % 100
                return
            }
        }
    }

    /// Both digits, `07` for seven.
    package var text: String { value < 10 ? "0\(value)" : "\(value)" }

    /// Takes the same time for every number.
    func matches(_ other: PairingNumber) -> Bool { byte ^ other.byte == 0 }
}

/// Where a login was started from, as its page shows it: text that is bounded, and never used for anything else.
///
/// A reference, so that the many logins without one stay small on the board.
package final class LoginOrigin: Sendable, Equatable {
    /// The longest of its texts.
    package static let limit = 100

    /// The person's address as it was typed, masked.
    package let email: String
    /// The address that the start came from; empty where it is not known.
    package let address: String
    /// The browser's or the app's family and its system's; empty where they are not known.
    package let agent: String

    package init(email: String, address: String, agent: String) {
        self.email = Self.cut(email)
        self.address = Self.cut(address)
        self.agent = Self.cut(agent)
    }

    /// In scalars, as the store counts: a single character can be longer than all of it may be.
    private static func cut(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
    }

    package static func == (left: LoginOrigin, right: LoginOrigin) -> Bool {
        left.email == right.email && left.address == right.address && left.agent == right.agent
    }
}

extension Operation {
    /// Whether the page asks before it goes on.
    package var asksFirst: Bool {
        // Who enrols a face has just asked for it, signed in.
        guard purpose == .login else { return false }
        return switch policy.landing.step {
        case .confirm: true
        case .redirect, .direct: binding.mode == .crossDevice
        }
    }

    /// Whether that browser has started the scan before: what it was asked then it is not asked again.
    func wasConfirmed(by cookie: Secret?) -> Bool {
        guard let cookie else { return false }
        return scanningBrowser?.matches(Digest256(sha256: cookie.expose())) == true
    }

    /// SHA-256 of the cookie of the browser that it is open in, or was approved in.
    var scanningBrowser: Digest256? {
        switch state {
        case .opened(let opening): opening.browser
        case .pending(let scan): scan.browser
        case .approved(let approval): approval.visit?.browser
        case .created, .redeemed, .closed, .failed: nil
        }
    }
}
