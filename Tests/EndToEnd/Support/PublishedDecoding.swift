import Foundation

/// How the published face-login app reads answers: a bare decoder, optional members that must have the right type.
enum PresentApp {
    struct Initiated: Decodable {
        let operationId: String
        let authUrl: String
    }

    struct Polled: Decodable {
        let status: String
        let user: Person?
        let accessToken: String?
        let refreshToken: String?
        let message: String?
        let operationId: String?
        let expiresIn: Int?
        let tokenType: String?
        let code: String?
    }

    struct Refreshed: Decodable {
        let message: String
        let accessToken: String
    }
}

/// How the document that describes the app's earlier form reads them: tokens nested, the page under another name.
enum SeedDocument {
    struct Initiated: Decodable {
        let operationId: String
        let authIdUrl: String
    }

    struct Polled: Decodable {
        let status: String
        let user: Person?
        let tokens: Tokens?
    }

    struct Tokens: Decodable {
        let accessToken: String
        let refreshToken: String
    }
}

/// The person as both read it: closed sets of words, and dates only as numbers.
struct Person: Decodable, Equatable {
    enum Role: String, Decodable { case admin, manager, technician, user }
    enum AccessLevel: String, Decodable { case basic, standard, elevated, admin }

    let id: UUID
    let name: String
    let email: String
    let department: String
    let role: Role
    let accessLevel: AccessLevel
    let joinDate: Date?
    let lastLoginAt: Date?
    let createdAt: Date?
    let isActive: Bool?
    let profileImageName: String?
}

/// A row of `operations list --json`, as far as tests look at it.
struct OperationRow: Decodable {
    let row: String
    let account: String?
    let state: String
    let failure: String?
    let session: String?
}
