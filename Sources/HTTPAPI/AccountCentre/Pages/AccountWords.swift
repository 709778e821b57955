import Kernel
import Sessions
import Web

/// The words of times, places and ways on the pages of the account centre.
enum AccountWords {
    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute
    private static let day = 24 * hour

    /// Returns in words how long ago something was, and its date after a month.
    static func ago(_ instant: Instant, now: Instant, in texts: LocalizedStrings) -> String {
        let age = max(0, (now - instant).wholeMilliseconds)
        switch age {
        case ..<minute: return texts[ConfirmKey.justNow]
        case ..<hour: return texts.text(ConfirmKey.minutesAgo, with: "\(age / minute)")
        case ..<day: return texts.text(AccountKey.hoursAgo, with: "\(age / hour)")
        case ..<(30 * day): return texts.text(AccountKey.daysAgo, with: "\(age / day)")
        default: return date(instant)
        }
    }

    /// Returns the date in UTC, which reads alike in every language (ISO 8601).
    static func date(_ instant: Instant) -> String { String(instant.internetDate.prefix(10)) }

    /// Returns date and time in UTC to the minute.
    static func time(_ instant: Instant) -> String {
        "\(instant.internetDate.prefix(16).replacing("T", with: " ")) UTC"
    }

    /// Returns a hint at the network of an address; `nil` if nothing helps the person.
    ///
    /// An address itself tells people little, and that of the server's machine or its local network tells nothing to a
    /// reader elsewhere.
    ///
    /// `visitor`: The address of the person who reads the page.
    static func place(_ address: String?, seenFrom visitor: String, in texts: LocalizedStrings) -> String? {
        guard let address, let parsed = NetworkAddress(address) else { return nil }
        guard parsed.reach != .world else { return texts.text(AccountKey.network, with: parsed.networkHint) }
        return NetworkAddress(visitor).flatMap { OriginText.nearby(parsed, seenFrom: $0, in: texts) }
    }

    /// Returns in words how a session's person signed in; `nil` for the opening of the account.
    static func way(_ methods: [String], isPasskey: Bool, in texts: LocalizedStrings) -> String? {
        if isPasskey { return texts[AccountKey.byPasskey] }
        if AuthenticationMethods.proveFace(methods) { return texts[AccountKey.byFace] }
        if AuthenticationMethods.proveKey(methods) { return texts[AccountKey.byDeviceKey] }
        if methods.contains("otp") { return texts[AccountKey.byMailedCode] }
        return methods.contains("pwd") ? texts[AccountKey.byPassword] : nil
    }
}
