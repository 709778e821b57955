import Hummingbird
import NIOCore
import Tokens

/// The answer to a refresh, written without an encoder: apps refresh as often as they sign in.
enum RefreshReply {
    /// Encodes the same as ``Wire/RefreshResponse``.
    ///
    /// `refreshToken`: `nil` if it came in a cookie.
    static func encode(access: String, refreshToken: String?, expiresIn: Int, type: String) -> Response {
        var json = JSONWriter(capacity: 2048)
        json.object { answer in
            answer.member("accessToken", string: access)
            answer.member("expiresIn", integer: Int64(expiresIn))
            answer.member("message", string: "Token refreshed")
            if let refreshToken { answer.member("refreshToken", string: refreshToken) }
            answer.member("tokenType", string: type)
        }
        return JSONReply.bytes(ByteBuffer(bytes: json.bytes))
    }
}
