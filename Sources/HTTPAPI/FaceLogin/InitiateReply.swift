import Hummingbird
import Kernel
import NIOCore
import Operations

/// The answer to the start of a login, written without an encoder, because anybody can start many logins.
///
/// A test compares it with the encoding of Wire's `InitiateLoginResponse`. No member needs escaping: the address comes
/// from the config, which checks it, and the rest is ids and numbers.
enum InitiateReply {
    static func encode(
        operationID: UUIDBits,
        url: String,
        expiresIn: Int64,
        interval: Int,
        number: PairingNumber? = nil,
        seq: Int64
    ) -> Response {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(256 + 2 * url.utf8.count)
        buffer.writeString("{\"authIdUrl\":\"")
        buffer.writeString(url)
        buffer.writeString("\",\"authUrl\":\"")
        buffer.writeString(url)
        buffer.writeString("\",\"interval\":")
        buffer.writeString(String(interval))
        if let number { buffer.writeString(",\"number\":\"\(number.text)\"") }
        buffer.writeString(",\"operationExpiresIn\":")
        buffer.writeString(String(expiresIn))
        buffer.writeString(",\"operationId\":\"")
        buffer.writeString(operationID.description)
        buffer.writeString("\",\"seq\":")
        buffer.writeString(String(seq))
        buffer.writeString(",\"status\":\"pending\"}")
        return JSONReply.bytes(buffer)
    }
}
