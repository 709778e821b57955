import Hummingbird
import Kernel
import Wallet

/// The cookie by which a browser that was asked whose wallet it is sees that question again: `vst_question`.
///
/// Its value is the question's own token, of which the store has the digest alone. A page that is loaded anew comes with the
/// bank's code and with the state, which whoever began has seen: they prove nothing, and the cookie does. Each question has
/// one of its own, so that none that was there before counts; of two at once a browser sees the later one again. Over https
/// it has a twin, as ``TwinCookies`` say.
struct QuestionCookies: Sendable {
    static let name = "vst_question"

    private let twins: TwinCookies

    /// It lasts as long as the question.
    init(isSecure: Bool) {
        twins = TwinCookies(name: Self.name, maxAge: BankService.attemptLifetime, isSecure: isSecure)
    }

    /// The cookie that a request brought, if it could be one of ours.
    func token(_ request: Request) -> Secret? { twins.secret(request) }

    /// Leaves a browser that one.
    func set(_ token: Secret, on response: inout Response) { twins.set(token, on: &response) }
}
