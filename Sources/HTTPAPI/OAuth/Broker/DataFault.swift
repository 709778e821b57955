import HTTPTypes
import Hummingbird
import Wire

/// Why there is no data for somebody who is signed in at an upstream: codes, status and sentences of `GET /api/data`.
enum DataFault: String, CaseIterable {
    case notAllowed = "data_not_allowed"
    case unavailable = "upstream_unavailable"
    case unusable = "upstream_unusable"

    private var status: HTTPResponse.Status {
        switch self {
        case .notAllowed: .forbidden
        case .unavailable: .serviceUnavailable
        case .unusable: .badGateway
        }
    }

    private var sentence: String {
        switch self {
        case .notAllowed: "This account may not see the data."
        case .unavailable: "The data can't be had just now. Try again in a few seconds."
        case .unusable: "The service that has the data answered what can't be used."
        }
    }

    func response(_ requestID: String) -> Response {
        let body = ProblemBody(code: rawValue, message: sentence, requestId: requestID)
        var response = JSONReply.encode(body, status: status)
        if self == .unavailable { response.headers[.retryAfter] = "5" }
        return response
    }
}
