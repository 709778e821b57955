/// One outgoing HTTP request.
///
/// Its description is the method and the location, without query, headers and body: those may hold secrets.
package struct OutboundRequest: Sendable {
    package var method: OutboundMethod
    package var target: OutboundTarget
    package var headers: [OutboundHeader]
    package var body: [UInt8]
    /// The time from the wait for a connection to the last byte of the response.
    package var timeout: Duration
    /// The size limit of the response's body, in bytes.
    package var maxResponseBytes: Int

    package init(
        _ method: OutboundMethod,
        _ target: OutboundTarget,
        headers: [OutboundHeader] = [],
        body: [UInt8] = [],
        timeout: Duration,
        maxResponseBytes: Int
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.maxResponseBytes = maxResponseBytes
    }
}

extension OutboundRequest: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(method.rawValue) \(target)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The methods that this program sends (RFC 9110 §9.3, RFC 5789).
package enum OutboundMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
}

/// A header field of a request or a response.
package struct OutboundHeader: Sendable, Equatable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
