/// The only error body of the API.
///
/// Each client in the field finds the member that it reads.
public struct ProblemBody: Codable, Sendable, Equatable {
    /// A sentence for the person.
    public var error: String
    /// A stable snake_case code to branch on.
    public var code: String
    /// The same sentence as ``error``.
    public var message: String
    /// The id of the request, to be quoted to the operator.
    public var requestId: String?
    /// Seconds between two polls from now on, beside the code `slow_down`.
    public var interval: Int?

    /// Creates a body with the sentence under both names.
    public init(code: String, message: String, requestId: String?, interval: Int? = nil) {
        error = message
        self.code = code
        self.message = message
        self.requestId = requestId
        self.interval = interval
    }
}
