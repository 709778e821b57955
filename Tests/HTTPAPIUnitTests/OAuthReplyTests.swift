import HTTPTypes
import Hummingbird
import OAuth
import Testing

@testable import HTTPAPI

struct OAuthReplyTests {
    /// RFC 9110 §15.6: 500 is this server's own error, 502 that of the one behind it, 503 says to come again.
    @Test(arguments: [
        (OAuthError(.serverError, "x"), HTTPResponse.Status.internalServerError),
        (OAuthError(.serverError, "x", isUpstreams: true), .badGateway),
        (OAuthError(.temporarilyUnavailable, "x"), .serviceUnavailable),
        (OAuthError(.invalidClient, "x"), .unauthorized),
        (OAuthError(.invalidGrant, "x"), .badRequest),
    ])
    func `each refusal has the status that says whose fault it is`(error: OAuthError, status: HTTPResponse.Status) {
        #expect(OAuthReply.error(error).status == status)
    }
}
