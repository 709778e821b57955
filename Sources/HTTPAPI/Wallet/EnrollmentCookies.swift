import Hummingbird
import Kernel

/// The cookie by which a browser that is back from a bank is known for the one that departed: `vst_enroll`.
///
/// One for all its enrolments, so that two tabs don't take it from each other. Whoever is sent the bank's link out of
/// somebody else's enrolment has not got it (RFC 9700 §4.7). Over https it has a twin, as ``TwinCookies`` say.
struct EnrollmentCookies: Sendable {
    static let name = "vst_enroll"

    private let twins: TwinCookies

    /// An attempt is over in ten minutes; two of them in a row stay within the hour.
    init(isSecure: Bool) { twins = TwinCookies(name: Self.name, maxAge: .seconds(3600), isSecure: isSecure) }

    /// The cookie that a request brought, if it could be one of ours.
    func secret(_ request: Request) -> Secret? { twins.secret(request) }

    /// Leaves a browser that one.
    func set(_ value: Secret, on response: inout Response) { twins.set(value, on: &response) }
}
