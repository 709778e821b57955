package import Operations
import Outbound

/// A request as it would be sent, with words in the place of secrets.
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
    /// Returns `nil` unless it goes to a URL.
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
    /// The special property of the answer, like `status "approved"`.
    package let sample: String
    package let status: ScanStatus
    package let reason: String
    /// Whether it is what its row says; `false` for a row that an earlier one hides.
    package let isAsWritten: Bool
}
