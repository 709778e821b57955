import HTTPTypes
import HummingbirdTesting
import Testing
import Web

@testable import Assembly
@testable import HTTPAPI

extension MatrixCases {
    /// Pages that are the same for everybody, and their assets.
    static let site: [MatrixCase] =
        SitePage.allCases.flatMap(\.paths).flatMap { path in fetching(path, .nothing) { _ in MatrixRequest(path) } }
        + fetching("/assets/{version}/{name}", .nothing) { _ in
            MatrixRequest("/assets/\(SiteAssets(in: .english).version)/page.js")
        }
}
