import Foundation

/// The two streams of a command, unbuffered: whoever reads a pipe sees each line at once.
enum Console {
    static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
    static func complain(_ line: String) { FileHandle.standardError.write(Data(("authid-mock: " + line + "\n").utf8)) }
}
