import Glibc
import NIOCore

/// The peer of a Unix socket, as the kernel knows it (`SO_PEERCRED`, unix(7)).
enum PeerCredential {
    /// Returns whether the peer runs as this process's own user or as root.
    static func isTrusted(_ channel: any Channel) async -> Bool {
        guard let provider = channel as? any SocketOptionProvider else { return false }
        do {
            let peer: Credential = try await provider.unsafeGetSocketOption(
                level: NIOBSDSocket.OptionLevel(rawValue: CInt(SOL_SOCKET)),
                name: NIOBSDSocket.Option(rawValue: CInt(SO_PEERCRED))
            ).get()
            return peer.uid == geteuid() || peer.uid == 0
        } catch { return false }
    }

    /// `struct ucred` of unix(7), which the C library declares only for programs with GNU extensions.
    private struct Credential {
        var pid: pid_t = 0
        var uid: uid_t = 0
        var gid: gid_t = 0
    }
}
