/// A request as the scripted server received it.
package struct ScriptedRequest: Sendable {
    package let method: String
    /// Path and query as they came, still percent-encoded.
    package let path: String
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }

    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// The scripted server's reaction to a request.
package enum ScriptedReply: Sendable {
    /// A correct answer.
    case answer(Int, [String: String] = [:], body: String = "")
    /// These bytes as they are; then the connection is closed, or kept open without another word.
    case raw(String, thenClose: Bool)
    /// Nothing, ever.
    case hang
    /// A TCP reset.
    case reset
    /// A correct header section for `size` bytes, then one byte of the body every now and then.
    case drip(size: Int, every: Duration)
    /// A correct header section, then as many bytes of a body of unknown size as the client takes.
    case flood
    /// Another reply, later.
    indirect case late(Duration, ScriptedReply)

    /// Another reply, as soon as the condition holds.
    indirect case held(until: @Sendable () -> Bool, ScriptedReply)

    package static func json(_ body: String, status: Int = 200) -> ScriptedReply {
        .answer(status, ["Content-Type": "application/json"], body: body)
    }
}
