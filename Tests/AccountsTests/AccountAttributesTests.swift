import Testing

@testable import Accounts

struct AccountAttributesTests {
    @Test func `attributes that are not given have their defaults`() throws {
        let attributes = try AccountAttributes(parsing: [])
        #expect(attributes.role == "user" && attributes.accessLevel == "basic" && attributes.department == "")
        #expect(attributes.given.isEmpty)
    }

    @Test func `a given attribute replaces the default, and a later one an earlier`() throws {
        let attributes = try AccountAttributes(parsing: [
            "role=manager", "role=admin", "accessLevel=elevated", "department=R=D", "badge_no=17",
        ])
        #expect(attributes.role == "admin" && attributes.accessLevel == "elevated")
        #expect(attributes.department == "R=D", "only the first sign parts")
        #expect(attributes.given["badge_no"] == "17")
    }

    @Test(arguments: ["admin", "manager", "technician", "user"])
    func `every role that clients can decode is taken`(_ role: String) throws {
        #expect(try AccountAttributes(parsing: ["role=\(role)"]).role == role)
    }

    @Test(arguments: ["basic", "standard", "elevated", "admin"])
    func `every access level that clients can decode is taken`(_ level: String) throws {
        #expect(try AccountAttributes(parsing: ["accessLevel=\(level)"]).accessLevel == level)
    }

    @Test(arguments: ["role=root", "role=Admin", "role=", "accessLevel=user"])
    func `a value that clients can't decode is refused with the allowed values`(_ word: String) throws {
        let fault = #expect(throws: AccountError.self) { try AccountAttributes(parsing: [word]) }
        #expect(fault?.code == "invalid_attribute")
        #expect(fault?.message.contains("admin") == true)
    }

    @Test(arguments: [
        "role", "", "=admin", "ro le=admin", "rôle=admin", "role-x=1", "a.b=1",
        String(repeating: "n", count: 65) + "=1",
    ])
    func `a text other than name and value is refused`(_ word: String) {
        #expect(throws: AccountError.badAttribute(word)) { try AccountAttributes(parsing: [word]) }
    }

    @Test(arguments: ["one\ntwo", "one\r\ntwo", String(repeating: "v", count: 201)])
    func `a value of many lines or of more than 200 bytes is refused by its name`(_ value: String) {
        #expect(throws: AccountError.badAttribute("department")) {
            try AccountAttributes(parsing: ["department=\(value)"])
        }
    }
}
