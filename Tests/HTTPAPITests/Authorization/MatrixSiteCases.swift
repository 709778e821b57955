import HTTPTypes
import HummingbirdTesting
import Testing
import Web

@testable import Assembly
@testable import HTTPAPI

extension MatrixCases {
    /// Pages that are the same for everybody, and their assets.
    static let site: [MatrixCase] =
        SitePage.rendered.flatMap(\.paths).flatMap { path in fetching(path, .nothing) { _ in MatrixRequest(path) } }
        + fetching(SitePage.signIn.path, .nothing) { _ in MatrixRequest(SitePage.signIn.path) }
        .map { $0.answered(303) }
        + fetching("/assets/{version}/{name}", .nothing) { _ in
            MatrixRequest("/assets/\(SiteAssets(in: .english).version)/page.js")
        }
        + files.flatMap { path in fetching(path, .nothing) { _ in MatrixRequest(path) } }
        + fetching("/.well-known/change-password", .nothing) { _ in MatrixRequest("/.well-known/change-password") }
        .map { $0.answered(303) }

    /// Files for browsers, password managers and search engines.
    private static let files =
        PageIcon.allCases.map { "/\($0.rawValue)" }
        + ["/robots.txt", "/.well-known/security.txt", "/.well-known/passkey-endpoints"]
}
