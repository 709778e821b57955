import FoundationEssentials
import Glibc

/// The loader's access to files, which tests replace.
package struct SettingsFiles: Sendable {
    package let read: @Sendable (_ path: String) -> Reading
    /// Reads a file that is no text.
    let bytes: @Sendable (_ path: String) -> ByteReading
    /// Returns the names in a folder; `nil` if it can't be read.
    let names: @Sendable (_ folder: String) -> [String]?

    /// Without `bytes`, a file's bytes are those of its text.
    ///
    /// Without `names` no folder can be read.
    package init(
        read: @escaping @Sendable (_ path: String) -> Reading,
        bytes: (@Sendable (_ path: String) -> ByteReading)? = nil,
        names: @escaping @Sendable (_ folder: String) -> [String]? = { _ in nil }
    ) {
        self.read = read
        self.bytes =
            bytes ?? { path in
                switch read(path) {
                case .text(let text, _): .bytes(Array(text.utf8))
                case .missing: .missing
                case .unreadable(let why): .unreadable(why)
                }
            }
        self.names = names
    }

    /// The outcome of reading one file.
    package enum Reading: Sendable, Equatable {
        /// The text, and the permission bits of the file itself, not of a link to it.
        case text(String, permissions: Int)
        case missing
        /// The cause, as a part of a sentence: "is a folder".
        case unreadable(String)
    }

    /// The outcome of reading a file that is no text.
    package enum ByteReading: Sendable, Equatable {
        case bytes([UInt8])
        case missing
        /// The cause, as a part of a sentence: "is a folder".
        case unreadable(String)
    }

    /// The size limit in bytes: configs and keys are smaller.
    static let largest = 1 << 20

    /// The machine's own files.
    package static let disk = SettingsFiles(
        read: { path in
            switch contents(of: path) {
            case .missing: return .missing
            case .unreadable(let why): return .unreadable(why)
            case .data(let data, let permissions):
                guard let text = String(validating: data, as: UTF8.self) else {
                    return .unreadable("is not UTF-8 on line \(line(notUTF8: data)). Save it as UTF-8")
                }
                return .text(text, permissions: permissions)
            }
        },
        bytes: { path in
            switch contents(of: path) {
            case .missing: .missing
            case .unreadable(let why): .unreadable(why)
            case .data(let data, _): .bytes(Array(data))
            }
        },
        names: { try? FileManager.default.contentsOfDirectory(atPath: $0).sorted() }
    )

    private enum Contents {
        case data(Data, permissions: Int)
        case missing
        case unreadable(String)
    }

    private static func contents(of path: String) -> Contents {
        let resolved = real(path)
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: resolved) else {
            guard access(path, F_OK) != 0 else { return .unreadable("may not be read") }
            switch without(path, code: errno, { access($0, X_OK) == 0 }) {
            case .unreadable(let why): return .unreadable(why)
            case .missing, .text: return .missing
            }
        }
        let type = attributes[.type] as? FileAttributeType
        guard type == .typeRegular else { return .unreadable("is not a regular file") }
        guard let size = attributes[.size] as? UInt, size <= largest else {
            return .unreadable("is larger than \(largest) bytes")
        }
        guard let data = FileManager.default.contents(atPath: resolved) else { return .unreadable("may not be read") }
        return .data(data, permissions: Int(attributes[.posixPermissions] as? UInt ?? 0o777))
    }

    /// Returns the outcome for a file whose status can't be read.
    ///
    /// The file is missing only if the system says so (access(2)).
    ///
    /// `code`: the system's error number.
    ///
    /// `mayEnter`: whether this user may search that folder.
    static func without(_ path: String, code: CInt, _ mayEnter: (String) -> Bool) -> Reading {
        switch code {
        case ENOENT: return .missing
        case EACCES:
            var folder = ""
            for part in path.split(separator: "/").dropLast() {
                folder += "/" + part
                guard mayEnter(folder) else { break }
            }
            return .unreadable("may not be read: this user may not enter \(folder.isEmpty ? "/" : folder)")
        default: return .unreadable("cannot be read: \(String(cString: strerror(code)))")
        }
    }

    /// Returns the first line, counted from 1, that is not UTF-8.
    ///
    /// A line feed is never a part of another character (RFC 3629 §3).
    private static func line(notUTF8 data: Data) -> Int {
        let lines = data.split(separator: 0x0A, omittingEmptySubsequences: false)
        return (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0) + 1
    }

    /// Returns the path without links, as far as there are files.
    static func real(_ path: String) -> String {
        URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    }

    /// Returns `path` as an absolute path below `folder`, with `.` and `..` resolved textually.
    package static func resolve(_ path: String, against folder: String) -> String {
        let whole = path.hasPrefix("/") ? path : folder + "/" + path
        var parts: [Substring] = []
        for part in whole.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
