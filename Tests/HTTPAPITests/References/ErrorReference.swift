import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import ReferencePages
import Testing
import TokenReading

@testable import HTTPAPI

/// The error codes as a page: those of the API, of failed logins, and of OAuth.
enum ErrorReference {
    static func page() throws -> ReferencePage {
        let body = [
            introduction, "## The API\n\n" + apiIntroduction + "\n" + (try apiTable()),
            "## Failed logins\n\n" + failureIntroduction + "\n" + (try failureTable()),
            "## OAuth\n\n" + oauthIntroduction + "\n" + (try oauthTable()),
        ]
        return ReferencePage(
            name: "errors.md",
            title: "Error codes",
            source: "the declarations of `APIError`, `FailureCode` and `OAuthErrorCode` and their comments",
            body: body.joined(separator: "\n")
        )
    }

    private static func apiTable() throws -> String {
        // Codes that have more than one status.
        let others: [APIError] = [
            .bankUnavailable(isUnusable: true), .invalidDPoPProof(.missing, isAccess: true),
        ]
        let comments = apiComments()
        let errors = Dictionary(grouping: OpenAPITests.problems + others, by: \.code)
        let rows = try errors.sorted { $0.key < $1.key }.map { code, errors in
            let explained = try explanation(of: code, comments[code])
            return [Markdown.code(code), statuses(errors.map(\.status.code))] + explained + [repetition(errors)]
        }
        return Markdown.table(["code", "status", "when", "what to do", "repeat"], rows)
    }

    /// The comments above the declarations of API errors, by code.
    private static func apiComments() -> [String: DocComment] {
        var comments: [String: DocComment] = [:]
        for file in SourceComments.files {
            var declaration: SourceLine?
            var before = ""
            for line in file {
                if ["static let ", "static func "].contains(where: line.text.hasPrefix) { declaration = line }
                let text = before.hasSuffix("(") ? before + line.text : line.text
                if text.contains("APIError(\""), let match = text.firstMatch(of: /\bAPIError\("([a-z_]+)",/) {
                    comments[String(match.1)] = declaration?.comment
                }
                before = line.text
            }
        }
        return comments
    }

    private static func repetition(_ errors: [APIError]) -> String {
        if errors.allSatisfy({ $0.retryAfter != nil }) { return "after `Retry-After`" }
        if errors.contains(where: { $0.status.kind == .serverError }) { return "later" }
        return errors.contains(where: \.endsConnection) ? "at once" : "no"
    }

    private static func failureTable() throws -> String {
        let rows = try SourceComments.cases(of: FailureCode.self).map { code, comment in
            [Markdown.code(code.rawValue)] + (try explanation(of: code.rawValue, comment))
                + [code.isRetryable ? "yes" : "no"]
        }
        return Markdown.table(["code", "when", "what to do", "start again"], rows)
    }

    private static func oauthTable() throws -> String {
        let codes = try SourceComments.cases(of: OAuthErrorCode.self)
        let rows = try codes.sorted { $0.value.rawValue < $1.value.rawValue }.map { code, comment in
            var answers = [OAuthReply.error(OAuthError(code, ""))]
            switch code {
            case .temporarilyUnavailable: answers.append(OAuthReply.answer(to: .rateLimited(for: .seconds(1))))
            case .serverError: answers.append(OAuthReply.error(OAuthError(code, "", isUpstreams: true)))
            default: break
            }
            return [Markdown.code(code.rawValue), statuses(answers.map(\.status.code))]
                + (try explanation(of: code.rawValue, comment))
        }
        return Markdown.table(["error", "status", "when", "what to do"], rows)
    }

    /// When there is such an error, and what to do.
    private static func explanation(of code: String, _ comment: DocComment?) throws -> [String] {
        [
            try #require(comment?.summary, "\(code): no comment says when"),
            try #require(
                comment?.paragraph("What to do"),
                "\(code): no paragraph of its comment begins with What to do:"
            ),
        ]
    }

    private static func statuses(_ codes: [Int]) -> String {
        Set(codes).sorted().map(String.init).joined(separator: " or ")
    }

    private static let introduction = """
        Codes are stable. Sentences are for people and may change: branch on the code alone.

        """

    private static let apiIntroduction = """
        The member `code` of every answer of 4xx and 5xx from a JSON route (`Problem` in [openapi.yaml](../openapi.yaml)).
        *Repeat* says when the same request may succeed.

        """

    private static let failureIntroduction = """
        The member `code` of a login, an enrolment or an approval whose `status` is `failed`. *Start again* is the member
        `retryable` of its `failure`.

        """

    private static let oauthIntroduction = """
        The member `error` of the OAuth endpoints (RFC 6749 §5.2), and the parameter `error` of a redirect back to the client
        (RFC 6749 §4.1.2.1), which has no status. A request that breaks HTTP's rules is `invalid_request` with the API's status.

        """
}
