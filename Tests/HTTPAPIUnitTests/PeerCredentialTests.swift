import Admin
import Glibc
import Testing

@testable import HTTPAPI

/// Who may do what at the admin socket, by what the kernel says of the process.
struct PeerCredentialTests {
    private static let own: UInt32 = 1000

    private static func access(_ user: UInt32, _ groups: Set<UInt32>, readers: UInt32?) -> Operator.Access? {
        PeerCredential(user: user, groups: groups).operator(own: own, readers: readers)?.access
    }

    @Test func `root and the daemon's user may do everything`() {
        for readers in [nil, 50] as [UInt32?] {
            #expect(Self.access(0, [0], readers: readers) == .everything)
            #expect(Self.access(Self.own, [Self.own], readers: readers) == .everything)
        }
    }

    @Test func `members of the readers' group may read, also by a supplementary group`() {
        #expect(Self.access(1001, [50], readers: 50) == .reading)
        #expect(Self.access(1001, [1001, 4, 50], readers: 50) == .reading)
    }

    @Test func `attack: nobody else may do anything, nor members of root's group`() {
        #expect(Self.access(1001, [1001, 51], readers: 50) == nil)
        #expect(Self.access(1001, [50], readers: nil) == nil)
        #expect(Self.access(1001, [0], readers: 0) == nil)
    }

    @Test func `readers may run no command that writes`() {
        let reader = Operator(user: 1001, name: nil, access: .reading)
        #expect(reader.mayRun(.reads) && !reader.mayRun(.writes))
        let owner = Operator(user: 0, name: "root", access: .everything)
        #expect(owner.mayRun(.reads) && owner.mayRun(.writes))
        #expect("\(owner)" == "root (uid 0)" && "\(reader)" == "uid 1001")
    }

    @Test func `the kernel's list of groups is that of the process`() throws {
        var pair: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        defer { for end in pair { close(end) } }
        var list = GroupList()
        var length = socklen_t(MemoryLayout<GroupList>.size)
        try #require(getsockopt(pair[0], SOL_SOCKET, GroupList.option, &list, &length) == 0)
        var groups = [gid_t](repeating: 0, count: 1024)
        let count = getgroups(Int32(groups.count), &groups)
        #expect(Set(list.all) == Set(groups.prefix(Int(count))).subtracting([0]))
        #expect(MemoryLayout<GroupList>.size == 1024 * MemoryLayout<gid_t>.size)
    }

    @Test func `a user has the name of the system's database`() {
        #expect(PeerCredential.name(of: 0) == "root")
        #expect(PeerCredential.name(of: 4_000_000_000) == nil)
    }
}
