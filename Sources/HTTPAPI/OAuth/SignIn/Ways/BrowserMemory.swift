import HTTPTypes
import Hummingbird
import Kernel
import OAuth

/// What the sign-in page remembers of a browser: the way of the last sign-in, and that a passkey was not wanted.
///
/// The cookies contain a word and no identity: they are the same for everybody who signed in that way.
struct BrowserMemory: Sendable {
    private let lastWay: CompanionCookies
    private let later: CompanionCookies
    private let passkey: CompanionCookies

    init(isSecure: Bool) {
        lastWay = CompanionCookies(name: "vst_way", maxAge: .seconds(180 * 86_400), isSecure: isSecure)
        later = CompanionCookies(name: "vst_later", maxAge: .seconds(30 * 86_400), isSecure: isSecure)
        passkey = CompanionCookies(name: "vst_passkey", maxAge: .seconds(180 * 86_400), isSecure: isSecure)
    }

    /// Returns the way by which the last person of this browser signed in.
    func lastWay(_ request: Request) -> SignInWay? {
        lastWay.word(request).flatMap { SignInWay(rawValue: $0.expose()) }
    }

    func keep(_ way: SignInWay, on response: inout Response) {
        lastWay.set(Secret(way.rawValue), on: &response)
        if way == .passkey { passkey.set(Secret(way.rawValue), on: &response) }
    }

    /// Returns whether a person of this browser has used or created a passkey here, whatever way was the last.
    func hasUsedPasskey(_ request: Request) -> Bool { passkey.word(request)?.expose() == SignInWay.passkey.rawValue }

    /// Returns whether a person of this browser lately wanted no passkey.
    func wantsNoPasskey(_ request: Request) -> Bool { later.word(request)?.expose() == SignInWay.passkey.rawValue }

    func keepWantingNoPasskey(on response: inout Response) {
        later.set(Secret(SignInWay.passkey.rawValue), on: &response)
    }
}
