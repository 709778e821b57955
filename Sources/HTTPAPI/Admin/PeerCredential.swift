import Admin
import Glibc
import NIOCore

/// The peer of a Unix socket, as the kernel knows it (`SO_PEERCRED`, `SO_PEERGROUPS`, unix(7)).
struct PeerCredential: Equatable {
    let user: UInt32
    /// The group of the process and its supplementary groups.
    let groups: Set<UInt32>

    /// Returns the credential of the peer at the time when it connected; `nil` if the kernel names none.
    static func of(_ channel: any Channel) async -> PeerCredential? {
        guard let provider = channel as? any SocketOptionProvider,
            let peer: Credential = await option(CInt(SO_PEERCRED), of: provider)
        else { return nil }
        // The kernel answers ERANGE for a process with more groups than fit. Then only its own group counts.
        let supplementary: GroupList? = await option(GroupList.option, of: provider)
        return PeerCredential(user: peer.uid, groups: Set(supplementary?.all ?? []).union([peer.gid]))
    }

    /// Returns the user who has connected, on the channel's event loop; `nil` for a channel that is no socket.
    static func user(of channel: any Channel) -> EventLoopFuture<UInt32>? {
        guard let provider = channel as? any SocketOptionProvider else { return nil }
        let peer: EventLoopFuture<Credential> = provider.unsafeGetSocketOption(
            level: NIOBSDSocket.OptionLevel(rawValue: CInt(SOL_SOCKET)),
            name: NIOBSDSocket.Option(rawValue: CInt(SO_PEERCRED))
        )
        return peer.map(\.uid)
    }

    /// Returns what the peer may do; `nil` for a peer that may do nothing.
    ///
    /// `readers`: the group whose members may read.
    func `operator`(own: UInt32 = geteuid(), readers: UInt32?) -> Operator? {
        if user == own || user == 0 { return Operator(user: user, name: Self.name(of: user), access: .everything) }
        // The rest of the list of groups is zero, so that root's group never means anything.
        guard let readers, readers != 0, groups.contains(readers) else { return nil }
        return Operator(user: user, name: Self.name(of: user), access: .reading)
    }

    /// Returns the user's name in the system's database.
    static func name(of user: UInt32) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 * 1024)
        guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name
        else { return nil }
        return String(cString: name)
    }

    private static func option<Value: Sendable>(
        _ name: CInt,
        of provider: any SocketOptionProvider
    ) async -> Value? {
        try? await provider.unsafeGetSocketOption(
            level: NIOBSDSocket.OptionLevel(rawValue: CInt(SOL_SOCKET)),
            name: NIOBSDSocket.Option(rawValue: name)
        ).get()
    }

    /// `struct ucred` of unix(7), which the C library declares only for programs with GNU extensions.
    private struct Credential {
        var pid: pid_t = 0
        var uid: uid_t = 0
        var gid: gid_t = 0
    }
}

/// The supplementary groups of a peer, at most 1024, and zeros after them.
struct GroupList: Sendable {
    /// `SO_PEERGROUPS` of Linux 4.13, which the C library does not export to Swift.
    static let option: CInt = 59

    private struct Two<Element: Sendable>: Sendable {
        var first: Element
        var second: Element

        init(_ element: Element) { (first, second) = (element, element) }
    }

    private typealias Sixteen = Two<Two<Two<Two<gid_t>>>>

    private var groups: Two<Two<Two<Two<Two<Two<Sixteen>>>>>>

    init() {
        let sixteen = Two(Two(Two(Two(gid_t(0)))))
        groups = Two(Two(Two(Two(Two(Two(sixteen))))))
    }

    /// The groups, without root's, which can't be told from the zeros.
    var all: [UInt32] {
        withUnsafeBytes(of: groups) { bytes in bytes.bindMemory(to: gid_t.self).filter { $0 != 0 } }
    }
}
