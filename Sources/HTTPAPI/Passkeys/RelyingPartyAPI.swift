import HTTPTypes
import Hummingbird

/// The well-known files that tell browsers and phones which apps and sites may use the passkeys, always in JSON.
struct RelyingPartyAPI: Sendable {
    let party: PasskeyConfiguration

    var routes: [Route] {
        Route.document("/.well-known/apple-app-site-association", access: .everybody, use: showAppleApps)
            + Route.document("/.well-known/assetlinks.json", access: .everybody, use: showAndroidApps)
            + Route.document("/.well-known/webauthn", access: .everybody, use: showRelatedOrigins)
    }

    private struct AppleFile: Encodable {
        struct Apps: Encodable { let apps: [String] }
        let webcredentials: Apps
    }

    /// `GET|HEAD /.well-known/apple-app-site-association`: 404 without an app.
    private func showAppleApps(_ request: Request, _ context: APIContext) async throws -> Response {
        guard !party.appleApps.isEmpty else { throw APIError.notFound }
        return Self.file(AppleFile(webcredentials: .init(apps: party.appleApps)))
    }

    private struct AssetLink: Encodable {
        /// The relations that Android's Credential Manager requires for a site's passkeys.
        ///
        /// The second one alone does not suffice.
        static let relations = [
            "delegate_permission/common.handle_all_urls", "delegate_permission/common.get_login_creds",
        ]

        struct Target: Encodable {
            let namespace: String
            let packageName: String
            let fingerprints: [String]

            private enum CodingKeys: String, CodingKey {
                case namespace
                case packageName = "package_name"
                case fingerprints = "sha256_cert_fingerprints"
            }
        }
        let relation: [String]
        let target: Target
    }

    /// `GET|HEAD /.well-known/assetlinks.json`: a statement for each app, or 404 without any app.
    private func showAndroidApps(_ request: Request, _ context: APIContext) async throws -> Response {
        guard !party.androidApps.isEmpty else { throw APIError.notFound }
        return Self.file(
            party.androidApps.map { app in
                AssetLink(
                    relation: AssetLink.relations,
                    target: .init(
                        namespace: "android_app",
                        packageName: app.packageName,
                        fingerprints: [app.fingerprint]
                    )
                )
            }
        )
    }

    private struct RelatedOrigins: Encodable { let origins: [String] }

    /// `GET|HEAD /.well-known/webauthn` (WebAuthn L3 §5.11): 404 unless another origin may use these passkeys.
    private func showRelatedOrigins(_ request: Request, _ context: APIContext) async throws -> Response {
        guard !party.relatedOrigins.isEmpty else { throw APIError.notFound }
        return Self.file(RelatedOrigins(origins: party.relatedOrigins))
    }

    private static func file(_ value: some Encodable) -> Response {
        var response = JSONReply.encode(value)
        response.headers[.cacheControl] = "public, max-age=3600"
        return response
    }
}
