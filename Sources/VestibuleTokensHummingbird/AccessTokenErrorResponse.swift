internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The answer to a request without a valid access token.
enum AccessTokenErrorResponse {
    case missing, invalid, unavailable

    var response: Response {
        switch self {
        case .missing:
            Self.response(
                .unauthorized,
                [.wwwAuthenticate: "Bearer"],
                body: #"{"error":"An access token is needed.","code":"unauthorized"}"#
            )
        // RFC 6750 §3.1: the client is told only the code, and the log has the reason.
        case .invalid:
            Self.response(
                .unauthorized,
                [.wwwAuthenticate: #"Bearer error="invalid_token""#],
                body: #"{"error":"The access token is not accepted.","code":"invalid_token"}"#
            )
        case .unavailable:
            Self.response(
                .serviceUnavailable,
                [.retryAfter: "60"],
                body: #"{"error":"Access tokens can't be checked right now.","code":"keys_unavailable"}"#
            )
        }
    }

    private static func response(_ status: HTTPResponse.Status, _ headers: HTTPFields, body: String) -> Response {
        var headers = headers
        headers[.contentType] = "application/json"
        headers[.cacheControl] = "no-store"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
    }
}
