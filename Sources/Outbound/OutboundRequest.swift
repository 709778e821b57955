/// One HTTP request to the outside.
///
/// It prints as its method and its location, without query, headers and body: those hold secrets.
package struct OutboundRequest: Sendable {
    package var method: OutboundMethod
    package var target: OutboundTarget
    package var headers: [OutboundHeader]
    package var body: [UInt8]
    /// The time from the wait for a connection to the last byte of the answer.
    package var timeout: Duration
    /// The largest body that is read of an answer.
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

/// The methods that are in use here (RFC 9110 §9.3, RFC 5789).
package enum OutboundMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
}

/// A header field of a request or an answer.
package struct OutboundHeader: Sendable, Equatable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
