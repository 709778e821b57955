import Crypto
import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import Web

/// The files that the pages load: modules, the style sheet and the icon, in one language.
///
/// Their address contains a digest of all files, so that browsers may keep them forever, and no page loads scripts of
/// another version.
struct SiteAssets: Sendable {
    /// The files by language, built once, because they are the same for every visitor.
    static let byLanguage = Dictionary(
        LocalizedStrings.all.map { ($0.language, SiteAssets(in: $0)) },
        uniquingKeysWith: { first, _ in first }
    )

    /// Returns the version of the files in that language.
    static func version(in texts: LocalizedStrings) -> String { byLanguage[texts.language]?.version ?? "" }

    /// The digest of all files, which is a folder of their address.
    let version: String
    private let files: [String: File]

    private struct File: Sendable {
        let bytes: ByteBuffer
        let type: String
        let tag: EntityTag

        init(_ text: String, _ type: String) {
            bytes = ByteBuffer(string: text)
            self.type = type
            tag = EntityTag(of: text.utf8)
        }
    }

    init(in texts: LocalizedStrings) {
        let script = "text/javascript; charset=utf-8"
        var files = WebAssets.modules.mapValues { File($0, script) }
        files["texts.js"] = File(WebAssets.textsModule(in: texts), script)
        files["style.css"] = File(WebAssets.siteStyle, "text/css; charset=utf-8")
        files["icon.svg"] = File(WebAssets.icon, "image/svg+xml")
        self.files = files
        version = Self.digest(files.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value.tag.text] })
    }

    /// Returns the named file, or 304 if the browser has it; `nil` for an unknown name.
    func answer(_ name: String, to request: Request) -> Response? {
        guard let file = files[name] else { return nil }
        var headers: HTTPFields = [.eTag: file.tag.text, .cacheControl: "public, max-age=31536000, immutable"]
        if file.tag.isHeld(by: request) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = file.type
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.bytes))
    }

    /// Returns 128 bits of a SHA-256, which suffice because nobody else can choose these files.
    private static func digest(_ texts: [String]) -> String {
        var hash = SHA256()
        for text in texts {
            hash.update(data: Array(text.utf8))
            hash.update(data: [0])
        }
        return Base64URL.encode(Array(hash.finalize().prefix(16)))
    }
}
