import CWeb

// Owns the embedded files (texts, pages, scripts and styles for browsers and mails), and reads them. Must not touch
// requests, accounts, the network or the disk. The caller decides the content of a page. Survives any text in a page's
// content: it is escaped. A broken file stops the program at its start. It never fails a request.

/// The files of this folder at the time of the build.
enum EmbeddedFiles {
    /// The files' contents by path, like `scripts/page.js`.
    static let all: [String: String] = {
        var count = 0
        let files = UnsafeBufferPointer(start: vestibule_web_files(&count), count: count)
        return Dictionary(uniqueKeysWithValues: files.map { (String(cString: $0.path), String(cString: $0.text)) })
    }()

    /// The bytes of the pictures by name.
    static let images: [String: [UInt8]] = {
        var count = 0
        let files = UnsafeBufferPointer(start: vestibule_web_images(&count), count: count)
        return Dictionary(
            uniqueKeysWithValues: files.map {
                (String(cString: $0.path), Array(UnsafeBufferPointer(start: $0.bytes, count: $0.length)))
            }
        )
    }()

    /// Returns the bytes of a picture.
    static func image(_ name: String) -> [UInt8] {
        precondition(images["images/\(name)"] != nil, "images/\(name) is not embedded")
        return images["images/\(name)"] ?? []
    }

    /// Returns the files directly in a folder, by their names without the ending.
    static func texts(in folder: String, ending: String) -> [String: String] {
        var texts: [String: String] = [:]
        for (path, text) in all where path.hasPrefix(folder + "/") && path.hasSuffix(ending) {
            let name = path.dropFirst(folder.utf8.count + 1).dropLast(ending.utf8.count)
            if !name.contains("/") { texts[String(name)] = text }
        }
        return texts
    }

    /// Returns the text of a file without its final line break.
    static func text(of path: String) -> String {
        precondition(all[path] != nil, "\(path) is not embedded")
        return trimmed(all[path] ?? "")
    }

    static func trimmed(_ text: String) -> String { text.hasSuffix("\n") ? String(text.dropLast()) : text }
}
