package import ArgumentParser

/// Ports that a program can be told to listen on.
package enum PortRange {
    /// - Throws: what is wrong with `port`, in words.
    package static func check(_ port: Int) throws(ValidationError) {
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be between 0 and 65535.") }
    }
}
