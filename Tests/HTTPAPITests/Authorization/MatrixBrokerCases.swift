import HTTPTypes

@testable import HTTPAPI

extension MatrixCases {
    /// The broker's own addresses, and the sample of a resource.
    static let broker: [MatrixCase] = [
        // A return without a valid state is refused, whoever presents it.
        MatrixCase("GET /oauth/upstream/callback", .nothing) { _ in MatrixRequest("/oauth/upstream/callback?code=x") }
            .answered(410),
        MatrixCase("GET /api/data", .access) { _ in MatrixRequest("/api/data") },
    ]
}
