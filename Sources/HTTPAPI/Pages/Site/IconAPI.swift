import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import Web

/// The icons at the addresses where browsers and phones look without being told (HTML §4.6.7.9).
///
/// Pages behind links name them there as well, since these pages load no files of a version.
struct IconAPI: Sendable {
    private let drawn = DrawnIcons()

    var routes: [Route] {
        PageIcon.allCases.flatMap { icon in
            Route.document("/\(icon.rawValue)", access: .everybody) { [drawn] request, context in
                let file = drawn.file(icon, of: context.language.languages.brands.owner)
                return Self.show(file, of: icon.type, request)
            }
        }
    }

    /// Returns the icon, which browsers may keep for a day; it changes only with the program and the owner's theme.
    private static func show(_ file: DrawnIcons.File, of type: String, _ request: Request) -> Response {
        var headers: HTTPFields = [.eTag: file.tag.text, .cacheControl: "public, max-age=86400"]
        if file.tag.isHeld(by: request) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = type
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.bytes))
    }
}

/// The icons of the owner's brand, each drawn once: anybody can ask for them.
private final class DrawnIcons: Sendable {
    struct File: Sendable {
        let bytes: ByteBuffer
        let tag: EntityTag
    }

    private struct Shown {
        var mark = ""
        var files: [PageIcon: File] = [:]
    }

    private let shown = Mutex(Shown())

    func file(_ icon: PageIcon, of brand: Brand) -> File {
        if let known = shown.withLock({ $0.mark == brand.mark ? $0.files[icon] : nil }) { return known }
        let bytes = icon.bytes(of: brand)
        let file = File(bytes: ByteBuffer(bytes: bytes), tag: EntityTag(of: bytes))
        shown.withLock { shown in
            if shown.mark != brand.mark { shown = Shown(mark: brand.mark) }
            shown.files[icon] = file
        }
        return file
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

    /// Returns the icon's file, in the colours of a brand or with its logo.
    func bytes(of brand: Brand) -> [UInt8] {
        switch self {
        case .favicon: BrandIcon.favicon(of: brand)
        case .drawing: Array(WebAssets.icon(of: brand).utf8)
        case .touch: BrandIcon.touch(of: brand)
        }
    }
}
