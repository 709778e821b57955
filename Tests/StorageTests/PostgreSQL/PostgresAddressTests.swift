import Testing

@testable import Storage

/// Connection strings: what they say, and which are refused.
struct PostgresAddressTests {
    @Test func `a connection string names the server, the user, the database and how it is protected`() throws {
        let address = try PostgresAddress(
            parsing: "postgresql://vestibule@db.example.com:6432/people?sslmode=verify-ca&sslrootcert=/etc/ca%2Bca.pem"
        )
        #expect(address.hosts == [.init(name: "db.example.com", port: 6432)])
        #expect(address.user == "vestibule")
        #expect(address.database == "people")
        #expect(address.protection == .verifyCA)
        #expect(address.further == ["sslrootcert": "/etc/ca+ca.pem"])
        #expect(address.name == "people at db.example.com:6432")
    }

    @Test func `several hosts mean the one that can be written, unless the string says otherwise`() throws {
        let address = try PostgresAddress(parsing: "postgres://v@a,b:6432,[fd00::1]:7/d")
        #expect(address.name == "d at a:5432, b:6432, [fd00::1]:7")
        let last = try #require(address.hosts.last)
        #expect(
            Dictionary(uniqueKeysWithValues: address.parameters(of: last)) == [
                "host": "fd00::1", "port": "7", "dbname": "d", "user": "v", "sslmode": "verify-full",
                "target_session_attrs": "read-write",
            ]
        )
        let any = try PostgresAddress(parsing: "postgres://a,b/d?target_session_attrs=any")
        #expect(any.parameters(of: any.hosts[0]).contains { $0 == (name: "target_session_attrs", value: "any") })
        let one = try PostgresAddress(parsing: "postgres://a/d")
        #expect(!one.parameters(of: one.hosts[0]).contains { $0.name == "target_session_attrs" })
    }

    @Test(arguments: [
        "postgres:///d?host=/run/postgresql&port=5433", "postgres://%2Frun%2Fpostgresql/d?port=5433",
        "postgresql://?host=/run/postgresql&port=5433&dbname=d",
    ])
    func `a Unix socket is named by its folder`(_ url: String) throws {
        let address = try PostgresAddress(parsing: url)
        #expect(address.hosts == [.init(name: "/run/postgresql", port: 5433)])
        #expect(address.database == "d")
        #expect(address.user == nil)
        #expect(address.isProtected)
    }

    @Test(arguments: [
        ("postgres://db.example.com/d", PostgresAddress.Protection.verifyFull, true),
        ("postgres://127.0.0.1,db.example.com/d", .verifyFull, true),
        ("postgres://localhost/d", .prefer, false),
        ("postgres://[::1]/d", .prefer, false),
        ("postgres:///d?host=/run/postgresql", .prefer, true),
        ("postgres://db.example.com/d?sslmode=require", .require, false),
        ("postgres://db.example.com/d?sslmode=verify-ca", .verifyCA, false),
    ])
    func `a server of another machine must prove itself unless the string says otherwise`(
        _ url: String,
        _ protection: PostgresAddress.Protection,
        _ isProtected: Bool
    ) throws {
        let address = try PostgresAddress(parsing: url)
        #expect(address.protection == protection)
        #expect(address.isProtected == isProtected)
    }

    @Test(arguments: [
        ("mysql://h/d", PostgresAddressError.scheme), ("host=h dbname=d", .scheme), ("", .scheme),
        ("postgres://u:p@h/d", .password), ("postgres://u:@h/d", .password), ("postgres://h/d?password=p", .password),
        ("postgres://h/d?sslpassword=p", .password),
        ("postgres://u:p/q@h/d", .password), ("postgres://u:p?q@h/d", .password), ("postgres://u:1/q@h/d", .password),
        ("postgres://h/d?q@=", .parameter(nil)), ("postgres://h", .noDatabase), ("postgres://h/", .noDatabase),
        ("postgres://h?sslmode=require", .noDatabase),
        ("postgres://a%2Cb/d", .noHost), ("postgres://a,b%2Cc/d", .noHost),
        ("postgres://h/d?host=other", .parameter("host")), ("postgres://u@h/d?user=other", .parameter("user")),
        ("postgres://h/d?dbname=other", .parameter("dbname")), ("postgres://u:4711/abc@db/v", .password),
        ("postgres:///d", .noHost), ("postgres://a,,b/d", .noHost), ("postgres://:5432/d", .noHost),
        ("postgres://h:0/d", .port), ("postgres://h:65536/d", .port), ("postgres://h:x/d", .port),
        ("postgres://[::1]x/d", .port), ("postgres://a,b/d?port=1,2,3", .port),
        ("postgres://h/d?options=-csearch_path%3Dx", .parameter("options")),
        ("postgres://h/d?sslmode=require&sslmode=disable", .parameter("sslmode")),
        (
            "postgres://h/d?sslmode=verify_full",
            .value(
                parameter: "sslmode",
                allowed: ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]
            )
        ),
        (
            "postgres://h/d?target_session_attrs=standby",
            .value(parameter: "target_session_attrs", allowed: ["any", "read-write", "primary"])
        ),
        ("postgres://h/d?sslrootcert=ca.pem", .relativePath(parameter: "sslrootcert")),
        ("postgres://h/d%00x", .controlCharacter), ("postgres://h/d\n", .controlCharacter),
    ])
    func `a connection string that can't be meant is refused`(_ url: String, _ error: PostgresAddressError) {
        #expect(throws: error) { try PostgresAddress(parsing: url) }
    }

    // T-219
    @Test(arguments: [
        "postgres://u:hunter2@h/d?port=x", "postgres://vestibule:hunter2/Xy@db/x",
        "postgres://vestibule:hunter2?Xy@db.example.com/v", "postgres://vestibule:Xy/hunter2@db/x",
        "postgres://vestibule:5432/hunter2@db/x",
    ])
    func `attack: a refused connection string does not put its password into the message`(_ url: String) {
        let error = #expect(throws: PostgresAddressError.self) { try PostgresAddress(parsing: url) }
        #expect(error?.message.contains("hunter2") == false)
        #expect(error?.message.contains("Xy") == false)
        #expect(error?.message.contains("storage.postgres.password") == true)
    }

    // T-219
    @Test(arguments: [
        "postgres://vestibule:hunter2", "postgres://vestibule:hunter2/d", "postgres://vestibule@db/d?Hunter2",
        "postgres://vestibule@db:hunter2/d", "postgres://h/d?port=hunter2",
    ])
    func `attack: a message repeats no text that may be a part of a password`(_ url: String) {
        let error = #expect(throws: PostgresAddressError.self) { try PostgresAddress(parsing: url) }
        #expect(error?.message.lowercased().contains("hunter2") == false)
    }
}
