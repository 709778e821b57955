import HTTPTypes
import Hummingbird
import NIOCore
import Web

/// The icons at the addresses where browsers and phones look without being told (HTML §4.6.7.9).
///
/// Pages behind links name them there as well, since these pages load no files of a version.
struct IconAPI: Sendable {
    var routes: [Route] {
        PageIcon.allCases.flatMap { icon in
            Route.document("/\(icon.rawValue)", access: .everybody) { request, context in
                Self.show(icon, of: context.language.languages.brands.owner, request)
            }
        }
    }

    /// Returns the icon, which browsers may keep for a day; it changes only with the program and the owner's colours.
    private static func show(_ icon: PageIcon, of brand: Brand, _ request: Request) -> Response {
        let bytes = icon.bytes(of: brand)
        let tag = EntityTag(of: bytes)
        var headers: HTTPFields = [.eTag: tag.text, .cacheControl: "public, max-age=86400"]
        if tag.isHeld(by: request) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = icon.type
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}

/// One of the icons that every page names.
enum PageIcon: String, CaseIterable, Sendable {
    case favicon = "favicon.ico"
    case drawing = "icon.svg"
    case touch = "apple-touch-icon.png"

    var type: String {
        switch self {
        // The registered type, which is not the one of the file's ending (RFC 6838).
        case .favicon: "image/vnd.microsoft.icon"
        case .drawing: "image/svg+xml"
        case .touch: "image/png"
        }
    }

    /// Returns the icon's file, in the colours of a brand where it is a drawing.
    func bytes(of brand: Brand) -> [UInt8] {
        switch self {
        case .favicon: WebAssets.favicon
        case .drawing: Array(WebAssets.icon(of: brand).utf8)
        case .touch: WebAssets.touchIcon
        }
    }
}
