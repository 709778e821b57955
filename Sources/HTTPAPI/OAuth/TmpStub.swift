import Hummingbird
import Kernel
import OAuth

package struct InteractionCookies: Sendable {
    static let name = "vst_oauth"
    package init(isSecure: Bool) {}
    func brought(_ request: Request) -> Digest256? { nil }
    func secret(_ request: Request) -> Secret? { nil }
    func set(_ value: Secret, on response: inout Response) {}
    func remove(from request: Request, on response: inout Response) {}
}

enum AnswerResponse {
    static func make(_ answer: AuthorizationAnswer, in texts: Texts) -> Response { Response(status: .found) }
}
