package import Operations
import Outbound

/// A request as it would be sent, with secrets replaced by words.
package struct PrintedRequest: Sendable, Equatable {
    /// `begin`, `check`, `cancel` or `token`.
    package let name: String
    package let method: String
    package let url: String
    package let headers: [(name: String, value: String)]
    package let body: String

    package static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.method == right.method && left.url == right.url && left.body == right.body
            && left.headers.map(\.name) == right.headers.map(\.name)
            && left.headers.map(\.value) == right.headers.map(\.value)
    }
}

extension PrintedRequest {
    /// Returns `nil` unless the request goes to a URL.
    init?(_ name: String, _ request: OutboundRequest) {
        guard case .url(let url) = request.target else { return nil }
        self.init(
            name: name,
            method: request.method.rawValue,
            url: url,
            headers: request.headers.map { ($0.name, $0.value) },
            body: String(decoding: request.body, as: UTF8.self)
        )
    }
}

/// The verdict on one sample answer.
package struct SampleVerdict: Sendable, Equatable {
    /// The property of the answer that the sample shows, like `status "approved"`.
    package let sample: String
    package let status: ScanStatus
    package let reason: String
    /// Whether the verdict is the one in its row; `false` for a row that an earlier row hides.
    package let isAsWritten: Bool
}
