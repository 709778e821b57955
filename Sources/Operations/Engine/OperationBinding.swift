package import Kernel

/// The values that bind an operation to the person at its landing page.
package struct OperationBinding: Sendable, Equatable {
    package let mode: LoginMode
    /// The origin of the start, as the account's owner sees it.
    ///
    /// The typed e-mail address is masked, and is erased when the operation ends.
    package private(set) var origin: LoginOrigin?
    /// The number that the app shows and the person types on the page (`cross-device`), erased when the operation ends.
    package private(set) var number: PairingNumber?
    /// The number of wrong pairing numbers so far.
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

    /// The number of wrong pairing numbers that ends the operation.
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

    /// Returns the binding with another return code, which a collection must present, or without one.
    func withReturnCode(_ code: Digest256?) -> OperationBinding {
        var copy = self
        copy.redirectBack = redirectBack.map { RedirectBack(url: $0.url, code: code) }
        return copy
    }

    /// Returns the part of the binding that is kept after the operation's end.
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

/// Two digits that the app shows and the person types on the landing page.
///
/// The page never shows them. So a person who was only sent the link does not know them.
package struct PairingNumber: Sendable, Equatable {
    /// 0 to 99.
    package var value: Int { Int(byte) }
    private let byte: UInt8

    /// `nil` for a value outside 0 to 99.
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

    /// Draws a uniformly distributed number from a secure source.
    package init(_ environment: Environment) {
        while true {
            // Takes 200 of a byte's 256 values, so that each number is equally likely.
            if let drawn = environment.randomBytes(1).first, drawn < 200 {
                byte = drawn % 100
                return
            }
        }
    }

    /// Both digits, `07` for seven.
    package var text: String { value < 10 ? "0\(value)" : "\(value)" }

    /// Whether the numbers are equal, compared in constant time.
    func matches(_ other: PairingNumber) -> Bool { byte ^ other.byte == 0 }
}

/// The origin of an operation's start, as its page and the account's owner see it.
///
/// Its texts are limited in length, and are deleted with the operation's row. It is a class, so that operations without
/// an origin take little memory in the cache.
package final class LoginOrigin: Sendable, Equatable {
    /// The greatest length of each text, in Unicode scalars.
    package static let limit = 100

    /// The person's typed e-mail address, masked; empty where no page shows it.
    package let email: String
    /// The IP address of the start's request; empty where it is unknown.
    package let address: String
    /// The names of the browser or app and of its operating system; empty where they are unknown.
    package let agent: String
    /// The initiator's message to the person, already validated.
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

    /// Cuts a text by Unicode scalars, as the database counts: a single character can be longer than the limit.
    private static func cut(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
    }

    package static func == (left: LoginOrigin, right: LoginOrigin) -> Bool {
        left.email == right.email && left.address == right.address && left.agent == right.agent
            && left.message == right.message
    }
}

extension Operation {
    /// Whether the page asks for a confirmation before it redirects to the provider.
    package var asksFirst: Bool {
        switch (request.purpose, request.policy.landing.step) {
        // A signed-in person has just asked for the enrolment.
        case (.enroll, _): false
        // A person has to read an approval first, whatever the client's policy for logins is.
        case (.approve, _), (.login, .confirm): true
        case (.login, .redirect), (.login, .direct): binding.mode == .crossDevice
        }
    }

    /// Whether the browser belongs to the session that asked for the approval.
    ///
    /// Only that session received the binding cookie in the answer to the start.
    func isAsked(from startCookie: Digest256?) -> Bool {
        request.purpose.approval != nil && startCookie?.matches(credentials.bindingCookie) == true
    }

    /// Whether the browser with this cookie has started the scan before, so that the page does not ask again.
    func wasConfirmed(by cookie: Secret?) -> Bool {
        guard let cookie else { return false }
        return scanningBrowser?.matches(Digest256(sha256: cookie.expose())) == true
    }

    /// SHA-256 of the cookie of the browser that opened the link, or whose scan was approved.
    package var scanningBrowser: Digest256? {
        switch state {
        case .opened(let opening): opening.browser
        case .pending(let scan): scan.browser
        case .approved(let approval): approval.scanAttempt?.browser
        case .created, .redeemed, .closed, .failed: nil
        }
    }
}
