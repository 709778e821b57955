package import Kernel
package import Operations
import Outbound

/// The content of the answer to `begin`.
package struct BeginReading: Sendable {
    private static let longestPage = 8192

    package enum ReadingError: Error, Equatable, Sendable {
        case notJSON
        /// The pointer finds no usable value.
        case noReference
        case noPage
        /// A value of `find` is missing, or the address can't be built from it.
        case noValue(String)
        /// The page is on an origin that is not in the config.
        case foreignOrigin(String)

        package var message: String {
            switch self {
            case .notJSON: "the answer is not JSON"
            case .noReference: "the answer has no id at begin.reference"
            case .noPage: "the answer has no address of a page at begin.page"
            case .noValue(let name): "the answer has no value for \(name)"
            case .foreignOrigin(let origin): "the page is on \(origin), which is not in pageOrigins"
            }
        }
    }

    package let reference: ProviderReference
    package let page: Secret
    /// Scheme, host and port of the page.
    package let pageOrigin: String

    init(
        _ body: [UInt8],
        _ configuration: HTTPTemplateConfiguration,
        publicURL: String
    ) throws(ReadingError) {
        guard let document = try? JSONReader.read(body) else { throw .notJSON }
        let template = configuration.begin
        // A dot segment would be removed from the path of a check (RFC 3986 §5.2.4).
        guard let id = template.reference.value(in: document)?.identifier, PrintableToken.isOne(id, upTo: 256),
            id != ".", id != ".."
        else { throw .noReference }
        let page = try Self.page(template, in: document, reference: id, publicURL: publicURL)
        guard let origin = PageOrigin.of(page), page.utf8.count <= Self.longestPage else { throw .noPage }
        guard configuration.pageOrigins.contains(origin) else { throw .foreignOrigin(origin) }
        reference = ProviderReference(id)
        self.page = Secret(page)
        pageOrigin = origin
    }

    private static func page(
        _ template: BeginTemplate,
        in document: JSONValue,
        reference id: String,
        publicURL: String
    ) throws(ReadingError) -> String {
        switch template.page {
        case .at(let pointer):
            guard case .string(let text)? = pointer.value(in: document) else { throw .noPage }
            return text
        case .made(let text):
            var found: [String: String] = [:]
            for value in template.find {
                guard let word = value.value.value(in: document)?.word, !word.isEmpty else {
                    throw .noValue(value.name)
                }
                found[value.name] = word
            }
            do throws(TemplateError) {
                return try text.filled { variable in
                    switch variable {
                    case .reference: id
                    case .publicURL: publicURL
                    case .found(let name): found[name]
                    case .account, .deadlineSeconds, .deadlineTime, .callbackURL, .requestID, .timestamp, .time,
                        .method, .path,
                        .body, .signature, .secret:
                        nil
                    }
                }
            } catch { throw .noValue(error.message) }
        }
    }
}

/// The origins of scan pages that a browser may be sent to.
package enum PageOrigin {
    /// Returns scheme, host and port in lower case, without a port that the scheme implies.
    ///
    /// `nil` unless every browser reads the address the same way.
    package static func of(_ url: String) -> String? {
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !#""\<>"#.utf8.contains($0) }),
            let mark = url.firstRange(of: "://")
        else { return nil }
        let scheme = url[..<mark.lowerBound].lowercased()
        guard scheme == "https" || scheme == "http" else { return nil }
        var authority = url[mark.upperBound...].prefix { !"/?#".contains($0) }.lowercased()
        let implied = scheme == "https" ? ":443" : ":80"
        if authority.hasSuffix(implied) { authority.removeLast(implied.count) }
        guard isHostAndPort(authority) else { return nil }
        return "\(scheme)://\(authority)"
    }

    /// Whether the text is a host name or IP address (brackets allowed) with an optional port: no user, nothing
    /// encoded.
    private static func isHostAndPort(_ text: String) -> Bool {
        let host: Substring
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return false }
            host = text[text.index(after: text.startIndex)..<end]
            rest = text[text.index(after: end)...]
            guard host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return false }
        } else {
            host = text.prefix { $0 != ":" }
            rest = text.dropFirst(host.count)
            guard host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }) else {
                return false
            }
        }
        guard !host.isEmpty else { return false }
        guard !rest.isEmpty else { return true }
        return rest.first == ":" && (Int(rest.dropFirst()).map { (1...65_535).contains($0) } ?? false)
            && rest.dropFirst().allSatisfy(\.isNumber)
    }
}
