package import Accounts
package import Kernel
import Testing

/// The contract of every store of accounts when one changes, one case a promise.
package enum AccountChangeContract: String, StorePromise {
    case named = "a name and attributes are set and taken away, of that account alone"
    case password = "a password's hash is set, read, replaced and taken away"
    case replaced = "an address takes the place of all others, unless it is another account's"
    // T-069
    case claimed = "any number claim an address, and nobody is found by a claim"
    case usernames = "a user name is one account's, however its letters are written, and finds it"
    case searched = "accounts are found by a part of a name or an address, page by page, and no sign is a wildcard"
    case profile = "a profile says whether the address is verified, and what the wallet is called"
    case closed = "a closed account is disabled, and has no name, address, attribute or password of its person"

    /// Checks this promise over an empty store.
    package func check(over store: some AccountStore, _ unitOfWork: some UnitOfWork) async throws {
        let subject = AccountsUnderTest(store: store, unitOfWork: unitOfWork)
        for number in [1, 2] as [UInt64] { try await subject.insert(number) }
        switch self {
        case .named: try await subject.checkNamed()
        case .password: try await subject.checkPassword()
        case .replaced: try await subject.checkReplaced()
        case .claimed: try await subject.checkClaimed()
        case .usernames: try await subject.checkUsernames()
        case .searched: try await subject.checkSearch()
        case .profile: try await subject.checkProfile()
        case .closed: try await subject.checkClosed()
        }
    }
}

private struct AccountsUnderTest<Store: AccountStore, Work: UnitOfWork> {
    let store: Store
    let unitOfWork: Work

    func insert(_ number: UInt64, claiming claim: EmailAddress? = nil) async throws {
        let record = AccountRecord(
            account: Account(
                id: Self.id(number),
                displayName: "Person \(number)",
                state: .active,
                attributes: AccountAttributes(["role": "manager"]),
                createdAt: OperationSample.start
            ),
            emails: claim == nil ? [VerifiedEmail(address: try Self.email(number), isVerified: false)] : [],
            claim: claim,
            enrolments: [],
            passwordHash: nil
        )
        try await unitOfWork.run { [store] in try store.insert(record, in: $0) }
    }

    func checkSearch() async throws {
        try await insert(3, claiming: EmailAddress("100%_sure@example.com"))
        func found(_ text: String, after last: UInt64? = nil, limit: Int = 9) async throws -> [AccountID] {
            var after: AccountSearch.Position?
            if let last { after = AccountSearch.Position(try #require(try await store.find(Self.id(last))).account) }
            return try await store.list(AccountSearch(text: text, after: after, limit: limit)).map(\.account.id)
        }
        #expect(try await found("") == [1, 2, 3].map(Self.id))
        #expect(try await found("", limit: 2) == [1, 2].map(Self.id))
        #expect(try await found("", after: 2, limit: 2) == [Self.id(3)])
        #expect(try await found("SON 2") == [Self.id(2)])
        // A name in either case, composed or not, is one name, also with letters that are not ASCII.
        for (name, other) in [("\u{C9}lise", "e\u{301}LISE"), ("\u{416}\u{435}\u{43D}\u{44F}", "\u{436}\u{415}")] {
            try await unitOfWork.run { [store] in try store.setDisplayName(name, of: Self.id(2), in: $0) }
            for text in [name, other, name.uppercased(), name.lowercased()] {
                #expect(try await found(text) == [Self.id(2)], "\(text)")
            }
            #expect(try await found("SON 2") == [], "its name before")
        }
        try await insert(4, called: try #require(Username("\u{C5}sa")))
        #expect(try await found("A\u{30A}SA") == [Self.id(4)])
        #expect(try await found(try Self.email(1).text) == [Self.id(1)])
        #expect(try await found("0%_S") == [Self.id(3)], "a claimed address")
        for wild in ["%", "_", "~", "per%on", "p_rson", "' OR 1=1 --"] where wild != "%" && wild != "_" {
            #expect(try await found(wild) == [], "\(wild)")
        }
        #expect(try await found("%") == [Self.id(3)])
        #expect(try await found("_") == [Self.id(3)])
    }

    func checkUsernames() async throws {
        // Each as it is typed first, and in another form that Unicode calls the same.
        let names = [
            ("\u{958}ada", "\u{915}\u{93C}ada"), ("\u{1100}\u{1161}", "\u{AC00}"), ("Zo\u{EB}", "zoe\u{308}"),
            ("\u{212B}ngstrom", "\u{E5}ngstrom"),
        ]
        for (number, name) in zip((3 as UInt64)..., names) {
            let (first, second) = (try #require(Username(name.0)), try #require(Username(name.1)))
            #expect(Array(first.text.unicodeScalars) == Array(second.text.unicodeScalars), "\(name)")
            try await insert(number, called: first)
            await #expect(throws: AccountError.usernameTaken) { try await insert(number + 10, called: second) }
            let found = try await unitOfWork.run { [store] in try store.account(named: second, in: $0) }
            #expect(found == Self.id(number))
            #expect(try await store.find(Self.id(number))?.username == first)
        }
    }

    private func insert(_ number: UInt64, called name: Username) async throws {
        let account = Account(
            id: Self.id(number),
            displayName: name.text,
            state: .active,
            attributes: AccountAttributes([:]),
            createdAt: OperationSample.start
        )
        let record = AccountRecord(account: account, emails: [], username: name, enrolments: [], passwordHash: nil)
        try await unitOfWork.run { [store] in try store.insert(record, in: $0) }
    }

    func checkNamed() async throws {
        let other = try await store.find(Self.id(2))
        try await unitOfWork.run { [store] transaction in
            try store.setDisplayName("Ada", of: Self.id(1), in: transaction)
            try store.setAttribute("badge", to: "7", of: Self.id(1), in: transaction)
            try store.setAttribute("role", to: "admin", of: Self.id(1), in: transaction)
        }
        var account = try #require(try await store.find(Self.id(1))).account
        #expect(account.displayName == "Ada" && account.attributes.given == ["badge": "7", "role": "admin"])
        try await unitOfWork.run { [store] transaction in
            for name in ["role", "none"] { try store.setAttribute(name, to: nil, of: Self.id(1), in: transaction) }
        }
        account = try #require(try await store.find(Self.id(1))).account
        #expect(account.attributes.given == ["badge": "7"] && account.attributes.role == "user")
        #expect(try await store.find(Self.id(2)) == other)
    }

    func checkPassword() async throws {
        #expect(try await hash(1) == nil)
        for hash in [Secret("one"), Secret("two"), nil] {
            try await unitOfWork.run { [store] in try store.setPasswordHash(hash, of: Self.id(1), in: $0) }
            #expect(try await self.hash(1) == hash)
            #expect(try await store.find(Self.id(1))?.passwordHash == hash)
        }
        try await unitOfWork.run { [store] in try store.setPasswordHash(Secret("x"), of: Self.id(2), in: $0) }
        #expect(try await hash(1) == nil)
        #expect(try await hash(9) == nil, "nobody has none")
    }

    func checkReplaced() async throws {
        let new = VerifiedEmail(address: try Self.email(3), isVerified: true)
        try await unitOfWork.run { [store] in try store.replaceEmails(with: new, of: Self.id(1), in: $0) }
        #expect(try await store.find(Self.id(1))?.emails == [new])
        #expect(try await store.find(email: Self.email(1)) == nil)
        #expect(try await store.find(email: Self.email(3))?.account.id == Self.id(1))
        let taken = VerifiedEmail(address: try Self.email(2), isVerified: true)
        await #expect(throws: AccountError.emailTaken(taken.address.text)) {
            try await unitOfWork.run { [store] in try store.replaceEmails(with: taken, of: Self.id(1), in: $0) }
        }
        #expect(try await store.find(Self.id(1))?.emails == [new], "nothing was changed")
        try await unitOfWork.run { [store] in try store.replaceEmails(with: new, of: Self.id(1), in: $0) }
        #expect(try await store.find(Self.id(1))?.emails == [new], "its own can be given again")
    }

    func checkClaimed() async throws {
        let email = try Self.email(9)
        for number in [3, 4] as [UInt64] { try await insert(number, claiming: email) }
        #expect(try await store.find(email: email) == nil)
        let claiming = try #require(try await store.find(Self.id(4)))
        #expect(claiming.claim == email && claiming.emails.isEmpty && claiming.profile.email == email)
        #expect(!claiming.profile.isEmailVerified)
        let other = VerifiedEmail(address: try Self.email(8), isVerified: true)
        try await unitOfWork.run { [store] in try store.replaceEmails(with: other, of: Self.id(4), in: $0) }
        #expect(try await store.find(Self.id(4))?.claim == nil, "an operator's word ends it")
        #expect(try await store.find(Self.id(3))?.claim == email)
    }

    func checkProfile() async throws {
        #expect(try await profile()?.isEmailVerified == false)
        #expect(try await profile()?.account.attributes.walletID == nil)
        let verified = VerifiedEmail(address: try Self.email(1), isVerified: true)
        try await unitOfWork.run { [store] in try store.replaceEmails(with: verified, of: Self.id(1), in: $0) }
        try await unitOfWork.run { [store] in
            try store.setAttribute("walletId", to: "w-1", of: Self.id(1), in: $0)
        }
        #expect(try await profile()?.isEmailVerified == true)
        #expect(try await profile()?.account.attributes.walletID == "w-1")
        #expect(try await profile() == store.find(Self.id(1))?.profile)
    }

    func checkClosed() async throws {
        let other = try await store.find(Self.id(2))
        let name = try #require(Username("ada"))
        try await insert(3, called: name)
        try await insert(4, claiming: try Self.email(9))
        for number in [1, 3, 4] as [UInt64] {
            try await unitOfWork.run { [store] transaction in
                try store.setPasswordHash(Secret("x"), of: Self.id(number), in: transaction)
                try store.close(Self.id(number), in: transaction)
            }
            let closed = try #require(try await store.find(Self.id(number)))
            #expect(closed.account.state == .disabled && closed.account.displayName == Account.closedName)
            #expect(closed.account.attributes.given.isEmpty && closed.passwordHash == nil)
            #expect(closed.emails.isEmpty && closed.username == nil && closed.claim == nil)
        }
        #expect(try await store.find(email: Self.email(1)) == nil)
        try await insert(5, called: name)
        #expect(try await store.find(Self.id(5))?.username == name, "the name is free again")
        #expect(try await store.find(Self.id(2)) == other)
    }

    private static func id(_ number: UInt64) -> AccountID { AccountID(UUIDBits(high: 0xA, low: number)) }

    private static func email(_ number: UInt64) throws -> EmailAddress {
        try #require(EmailAddress("person\(number)@example.com"))
    }

    private func hash(_ number: UInt64) async throws -> Secret? {
        try await unitOfWork.run { [store] in try store.passwordHash(of: Self.id(number), in: $0) }
    }

    private func profile() async throws -> AccountProfile? {
        try await unitOfWork.run { [store] in try store.profile(Self.id(1), in: $0) }
    }
}
