/// A completed sign-in.
///
/// Its tokens are already stored.
public struct SignedIn: Sendable, Equatable {
    /// The tokens.
    public let tokens: StoredTokens
    /// The person, if the server sent their data.
    public let user: User?

    /// Creates a sign-in with those tokens.
    public init(tokens: StoredTokens, user: User?) {
        self.tokens = tokens
        self.user = user
    }

    /// The person who signed in.
    public struct User: Sendable, Equatable {
        /// A lower-case dashed UUID.
        public let id: String
        /// The person's name.
        public let name: String
        /// The e-mail address.
        public let email: String
        /// The department.
        public let department: String
        /// `admin`, `manager`, `technician` or `user`.
        public let role: String
        /// `basic`, `standard`, `elevated` or `admin`.
        public let accessLevel: String

        /// Creates a person's data.
        public init(id: String, name: String, email: String, department: String, role: String, accessLevel: String) {
            self.id = id
            self.name = name
            self.email = email
            self.department = department
            self.role = role
            self.accessLevel = accessLevel
        }
    }
}
