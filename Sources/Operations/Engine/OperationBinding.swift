package import Kernel

/// The values that bind an operation to the person at its page.
package struct OperationBinding: Sendable, Equatable {
    package let mode: LoginMode
    /// The origin of the start, as the account's owner is shown it.
    ///
    /// It has the typed address only as a page shows it, and only until the operation ends.
    package private(set) var origin: LoginOrigin?
    /// The number that the app shows and the person types on the page (`cross-device`); erased at the end.
    package private(set) var number: PairingNumber?
    /// How often a wrong number was typed.
    package var wrongNumbers: Int { Int(wrongNumberCount) }
    private var wrongNumberCount: UInt8
    /// The redirect of the browser back to the app.
    package private(set) var redirectBack: RedirectBack?

    package init(
        mode: LoginMode = .sameDevice,
        origin: LoginOrigin? = nil,
        number: PairingNumber? = nil,
        wrongNumbers: Int = 0,
        redirectBack: RedirectBack? = nil
    ) {
        self.mode = mode
        self.origin = origin
        self.number = number
        wrongNumberCount = UInt8(clamping: wrongNumbers)
        self.redirectBack = redirectBack
    }

    /// How often a wrong number may be typed; the last of them ends the operation.
    package static let maximumWrongNumbers = 3

    /// Returns the binding with a new pairing number, if its mode needs one.
    func paired(in environment: Environment) -> OperationBinding {
        var copy = self
        copy.number = mode == .crossDevice ? PairingNumber(environment) : nil
        return copy
    }

    /// Returns the binding after one more wrong number.
    func afterWrongNumber() -> OperationBinding {
        var copy = self
        copy.wrongNumberCount = UInt8(clamping: wrongNumbers + 1)
        return copy
    }

    /// Returns the binding with the return code that a collection takes, or without one.
    func withReturnCode(_ code: Digest256?) -> OperationBinding {
        var copy = self
        copy.redirectBack = redirectBack.map { RedirectBack(url: $0.url, code: code) }
        return copy
    }

    /// Returns the part of it that is kept after the end.
    func ended() -> OperationBinding {
        var copy = withReturnCode(nil)
        copy.origin = origin?.withoutEmail
        copy.number = nil
        return copy
    }
}

/// Whether the app and the page are on the same device.
package enum LoginMode: String, Sendable, CaseIterable {
    /// The app opens the page on its own device.
    case sameDevice = "same-device"
    /// The page is opened on another device, and the person types the app's number there.
    case crossDevice = "cross-device"
}

/// Two digits that an app shows and its person types on the page.
///
/// The page never shows them, so a person who was sent the link does not have them.
package struct PairingNumber: Sendable, Equatable {
    /// 0 to 99.
    package var value: Int { Int(byte) }
    private let byte: UInt8

    /// `nil` for a value without two digits.
    package init?(_ value: Int) {
        guard (0...99).contains(value) else { return nil }
        byte = UInt8(value)
    }

    /// Reads what a person typed: two digits, with or without space around them.
    package init?(typed text: String) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") }
        guard digits.count == 2, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        byte = (digits[0] - UInt8(ascii: "0")) * 10 + (digits[1] - UInt8(ascii: "0"))
    }

    /// Draws a uniform number from a secure source.
    package init(_ environment: Environment) {
        while true {
            // 200 of the 256 values of a byte, so that each number is as likely as any other.
            if let drawn = environment.randomBytes(1).first, drawn < 200 {
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

/// The origin of an operation's start, as its page and the account's owner are shown it.
///
/// Its texts are bounded and deleted with the operation's row. It is a class, so that logins without one stay small in
/// the cache.
package final class LoginOrigin: Sendable, Equatable {
    /// The longest text, in scalars.
    package static let limit = 100

    /// The person's address as it was typed, masked; empty where no page shows it.
    package let email: String
    /// The address that the start came from; empty where it is not known.
    package let address: String
    /// The browser's or the app's family and its system's; empty where they are not known.
    package let agent: String
    /// The message of the initiator to the person, checked before.
    package let message: String?

    package init(email: String, address: String, agent: String, message: String? = nil) {
        self.email = Self.cut(email)
        self.address = Self.cut(address)
        self.agent = Self.cut(agent)
        self.message = message.map(Self.cut)
    }

    var withoutEmail: LoginOrigin {
        email.isEmpty ? self : LoginOrigin(email: "", address: address, agent: agent, message: message)
    }

    /// Cuts a text by scalars, as the store counts: a single character can be longer than the limit.
    private static func cut(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
    }

    package static func == (left: LoginOrigin, right: LoginOrigin) -> Bool {
        left.email == right.email && left.address == right.address && left.agent == right.agent
            && left.message == right.message
    }
}

extension Operation {
    /// Whether the page asks before it redirects to the provider.
    package var asksFirst: Bool {
        switch (request.purpose, request.policy.landing.step) {
        // A person who enrols a face has just asked for it, signed in.
        case (.enroll, _): false
        // An approval has to be read first, whatever the client's logins do.
        case (.approve, _), (.login, .confirm): true
        case (.login, .redirect), (.login, .direct): binding.mode == .crossDevice
        }
    }

    /// Whether the browser is the one that asked for the approval: it presents the cookie of the start's answer, which
    /// only the session was given.
    func isAsked(from startCookie: Digest256?) -> Bool {
        request.purpose.approval != nil && startCookie?.matches(credentials.bindingCookie) == true
    }

    /// Whether that browser has started the scan before: it is not asked the same again.
    func wasConfirmed(by cookie: Secret?) -> Bool {
        guard let cookie else { return false }
        return scanningBrowser?.matches(Digest256(sha256: cookie.expose())) == true
    }

    /// SHA-256 of the cookie of the browser that opened it, or that was approved.
    var scanningBrowser: Digest256? {
        switch state {
        case .opened(let opening): opening.browser
        case .pending(let scan): scan.browser
        case .approved(let approval): approval.scanAttempt?.browser
        case .created, .redeemed, .closed, .failed: nil
        }
    }
}
