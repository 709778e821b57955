import HTTPTypes
import Hummingbird
import NIOCore
import Web

/// The files that the pages load: modules, the style sheet, the icons and a logo, in one language and brand.
///
/// Their address contains a digest of all files, so that browsers may keep them forever, and no page loads scripts of
/// another version.
struct SiteAssets: Sendable {
    /// The digest of all files, which is a folder of their address.
    let version: String
    private let files: [String: File]

    fileprivate struct File: Sendable {
        let bytes: ByteBuffer
        let type: String
        let tag: EntityTag

        init(_ content: some Collection<UInt8>, _ type: String) {
            bytes = ByteBuffer(bytes: content)
            self.type = type
            tag = EntityTag(of: content)
        }
    }

    /// The files that are the same in every language of a brand.
    struct BrandFiles: Sendable {
        fileprivate let files: [String: File]

        init(of brand: Brand) {
            var files = SiteAssets.modules
            files["style.css"] = File(WebAssets.siteStyle(of: brand).utf8, "text/css; charset=utf-8")
            for icon in PageIcon.allCases { files[icon.rawValue] = File(icon.bytes(of: brand), icon.type) }
            if let logo = brand.logo { files[logo.fileName(.usual)] = File(logo.bytes, logo.mediaType) }
            if let logo = brand.logoDark { files[logo.fileName(.dark)] = File(logo.bytes, logo.mediaType) }
            self.files = files
        }
    }

    /// `brand`: The files of the brand of `texts`; `nil` builds them.
    init(in texts: LocalizedStrings, sharing brand: BrandFiles? = nil) {
        var files = (brand ?? BrandFiles(of: texts.brand)).files
        files["texts.js"] = File(WebAssets.textsModule(in: texts).utf8, Self.script)
        self.files = files
        version = WebAssets.version(in: texts)
    }

    private static let script = "text/javascript; charset=utf-8"
    /// The modules, which all languages and brands share.
    private static let modules = WebAssets.modules.mapValues { File($0.utf8, script) }

    /// Returns the named file, or 304 if the browser has it; `nil` for an unknown name.
    func answer(_ name: String, to request: Request) -> Response? {
        guard let file = files[name] else { return nil }
        var headers: HTTPFields = [.eTag: file.tag.text, .cacheControl: "public, max-age=31536000, immutable"]
        if file.tag.isHeld(by: request) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = file.type
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.bytes))
    }
}
