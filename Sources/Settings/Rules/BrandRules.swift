import Kernel
import Web

extension SettingRule where Value == String {
    /// The name of an owner or a client: it is in titles, headings, and subjects of mails.
    static var brandName: Self { shownLine(upTo: 64, expected: "a name of at most 64 characters") }

    /// A line of a page.
    static var brandLine: Self { shownLine(upTo: 200, expected: "a line of at most 200 characters") }

    /// One line, which a person sees as it is written (CWE-1007).
    private static func shownLine(upTo longest: Int, expected: String) -> Self {
        Self(expected: expected) { text, _, _ throws(SettingError) in
            guard ShownText.isPlain(text, limit: longest) else {
                throw .refusing(text, "is not \(expected), on one line and without hidden characters")
            }
            return text
        }
    }

    /// The address of a page that people can open: https, or on a laptop http on this machine.
    static var webLink: Self {
        Self(expected: "an https URL") { text, _, reading throws(SettingError) in
            guard text.utf8.count <= 500 else { throw .refusing(text, "is longer than 500 characters") }
            let parts = try URLCheck.absolute(text)
            let isTrial =
                parts.scheme == "http" && reading.context.mode == .laptop && Loopback.contains(host: parts.host)
            guard parts.scheme == "https" || isTrial else {
                throw .refusing(text, "is not https. Links of a theme open pages of the web, and only over https")
            }
            guard !parts.host.isEmpty, !parts.host.contains("%") else { throw .refusing(text, "has no host") }
            return text
        }
    }
}

extension SettingRule where Value == BrandColour {
    static var colour: Self {
        .parsing(
            { BrandColour($0) },
            expected: "a colour like \"#0b57d0\"",
            otherwise: "is not a colour. Write # and six hexadecimal digits in quotes, like \"#0b57d0\"",
            text: \.hex
        )
    }
}

extension SettingRule where Value == BrandLogo {
    static var logo: Self {
        Self(expected: "a PNG or WebP file, relative to the data folder or absolute") {
            text,
            _,
            reading throws(SettingError) in
            guard !text.isEmpty, !text.utf8.contains(0) else { throw .refusing(text, "is not a path") }
            let path = SettingsFiles.resolve(text, against: reading.context.dataFolder)
            return BrandLogo(path: path, image: try reading.context.files.image(path))
        } show: {
            .text($0.path)
        }
    }
}

extension SettingsFiles {
    fileprivate func image(_ path: String) throws(SettingError) -> BrandImage {
        switch bytes(path) {
        case .missing: throw SettingError(message: "the file \(path) does not exist")
        case .unreadable(let why): throw SettingError(message: "\(path) \(why)")
        case .bytes(let bytes):
            do throws(ImageError) { return try BrandImage(bytes) } catch {
                throw SettingError(message: "\(path) \(error.message)")
            }
        }
    }
}

/// Which characters a text for people may have.
enum ShownScalar {
    /// Whether the scalar neither controls, nor ends a line, nor changes the direction of writing.
    static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
        default: break
        }
        // Embeddings, overrides and isolates (Unicode UAX #9 §2).
        return !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
    }
}
