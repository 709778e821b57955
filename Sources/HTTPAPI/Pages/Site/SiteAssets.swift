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

    private struct File: Sendable {
        let bytes: ByteBuffer
        let type: String
        let tag: EntityTag

        init(_ content: some Collection<UInt8>, _ type: String) {
            bytes = ByteBuffer(bytes: content)
            self.type = type
            tag = EntityTag(of: content)
        }
    }

    init(in texts: LocalizedStrings) { self.init(in: texts, with: Self.files(of: texts.brand)) }

    private init(in texts: LocalizedStrings, with brand: [String: File]) {
        var files = brand
        files["texts.js"] = File(WebAssets.textsModule(in: texts).utf8, Self.script)
        self.files = files
        version = WebAssets.version(in: texts)
    }

    /// Returns the files of every language and brand, which share what is the same.
    static func all(of languages: Languages) -> [SiteAssets] {
        let clients: [String?] = [nil] + languages.brands.clients.keys.map { $0 }
        return clients.flatMap { client in
            let brand = files(of: languages.brands.brand(of: client))
            return languages.all.map { SiteAssets(in: $0.branded(for: client), with: brand) }
        }
    }

    /// Returns the files that are the same in every language.
    private static func files(of brand: Brand) -> [String: File] {
        var files = modules
        files["style.css"] = File(WebAssets.siteStyle(of: brand).utf8, "text/css; charset=utf-8")
        for icon in PageIcon.allCases { files[icon.rawValue] = File(icon.bytes(of: brand), icon.type) }
        if let logo = brand.logo { files[logo.fileName(.usual)] = File(logo.bytes, logo.mediaType) }
        if let logo = brand.logoDark { files[logo.fileName(.dark)] = File(logo.bytes, logo.mediaType) }
        return files
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
