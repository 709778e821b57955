/// A complete response with a status other than a redirect's.
///
/// Its description is the status and the size: headers and body may hold secrets.
package struct OutboundResponse: Sendable, Equatable {
    package let status: Int
    package let headers: [OutboundHeader]
    package let body: [UInt8]

    package init(status: Int, headers: [OutboundHeader], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Returns the first field of that name, ignoring case (RFC 9110 §5.1).
    package func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.lowercased() == wanted }?.value
    }
}

extension OutboundResponse: CustomStringConvertible, CustomReflectable {
    package var description: String { "HTTP \(status), \(body.count) bytes" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
