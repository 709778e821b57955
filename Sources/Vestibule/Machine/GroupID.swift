import Glibc

/// The groups of this machine by their names.
enum GroupID {
    /// Returns the number of a group that is given by its name or its number.
    ///
    /// - Throws: ``ExitError`` for an unknown group, and for root's, which a process without groups can't be told from.
    static func find(_ text: String) throws(ExitError) -> gid_t {
        let found = number(named: text) ?? gid_t(text)
        guard let found, found != 0 else {
            throw .config(
                "listen.adminReadGroup: \(text) is \(found == nil ? "no group of this machine" : "root's group"). "
                    + "Name a group with `groupadd`, or leave the key out."
            )
        }
        return found
    }

    private static func number(named name: String) -> gid_t? {
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        var buffer = [CChar](repeating: 0, count: 64 * 1024)
        guard getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return entry.gr_gid
    }
}
