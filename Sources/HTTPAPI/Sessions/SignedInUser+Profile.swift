import Accounts
import Kernel
import Wire

extension SignedInUser {
    init(_ person: AccountProfile) {
        let attributes = person.account.attributes
        self.init(
            id: person.account.id.description,
            displayName: person.account.displayName,
            email: person.email?.text ?? "",
            emailVerified: person.isEmailVerified,
            role: attributes.role,
            accessLevel: attributes.accessLevel,
            department: attributes.department,
            walletId: attributes.walletID,
            username: person.username?.text
        )
    }
}
