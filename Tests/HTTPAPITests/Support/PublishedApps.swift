import Foundation

/// How the published apps read what signs them in: members that they miss, or of another type, end in an error.
enum PublishedApps {
    /// The face-login app's decoder of these answers: dates, where there are any, as texts.
    static var faceLogin: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    /// What the face-login app reads of a sign-in or a registration.
    struct FaceLoginSignIn: Decodable {
        let message: String
        let user: FaceLoginUser
        let accessToken: String
        let refreshToken: String?
        let biometricEnrollment: [String: String]?
    }

    /// What the face-login app reads when its user sets up a face: it opens one address, and draws a code from the other.
    struct FaceLoginEnrolment: Decodable {
        struct Enrolment: Decodable {
            let enrollmentId: String
            let enrollmentUrl: String?
            let qrCode: String?
            let expiresAt: String?
            let status: String?
            let completedAt: String?
        }

        let message: String
        let enrollment: Enrolment
        let alreadyEnrolled: Bool?
    }

    struct FaceLoginMe: Decodable {
        let user: FaceLoginUser
    }

    struct FaceLoginUser: Decodable, Equatable {
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

    /// What the wallet app reads, and puts away as texts.
    struct WalletSignIn: Decodable {
        struct User: Decodable {
            let id: String
            let email: String
            let name: String
            let walletId: String
        }

        struct Tokens: Decodable {
            let accessToken: String
            let refreshToken: String
            let expiresIn: Int
        }

        let user: User
        let tokens: Tokens
    }

    /// What the face-login app shows of an error; without both it shows a text of its own.
    struct FaceLoginError: Decodable {
        let error: String
        let code: String
    }
}

extension JSONDecoder {
    /// The value of that text.
    func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        try decode(type, from: Data(text.utf8))
    }
}
