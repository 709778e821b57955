package import Kernel

/// An operator's change of an existing account.
package struct AccountChange: Sendable, Equatable {
    package var name: String?
    /// The new address, which replaces all addresses of the account and counts as verified.
    package var email: String?
    /// Words like `role=admin`; `NAME=` removes the attribute, so that its default is used.
    package var attributes: [String]
    package var password: Secret?

    package init(name: String? = nil, email: String? = nil, attributes: [String] = [], password: Secret? = nil) {
        self.name = name
        self.email = email
        self.attributes = attributes
        self.password = password
    }
}

extension AccountService {
    /// Changes an account as a whole or not at all.
    ///
    /// Tokens contain no attribute, and answers read attributes each time, so that a change takes effect at once. By
    /// changing the address an operator undoes a takeover. This ends the codes for the previous address, the links that
    /// would verify other addresses, and all earlier access. A changed password also ends all sessions and devices,
    /// where the owner's own change keeps one.
    package func change(_ name: String, _ change: AccountChange) async throws -> AccountRecord {
        let record = try await show(name)
        let id = record.account.id
        let displayName = try change.name.map { raw throws(AccountError) in try Account.checked(name: raw) }
        let email = try change.email.map { raw throws(AccountError) in
            guard let email = EmailAddress(raw) else { throw .badEmail(raw) }
            return email
        }
        let attributes = try AttributeChange.parse(change.attributes)
        var hash: Secret?
        if let password = change.password { hash = try await passwords.hash(password) }
        try await unitOfWork.run { [store, auditLog, access, hash] transaction in
            if let displayName { try store.setDisplayName(displayName, of: id, in: transaction) }
            if let email {
                let verified = VerifiedEmail(address: email, isVerified: true)
                try store.replaceEmails(with: verified, of: id, in: transaction)
                try access.endElsewhere(of: id, except: nil, because: .addressByOperator, in: transaction)
            }
            for change in attributes {
                try store.setAttribute(change.name, to: change.value, of: id, in: transaction)
            }
            if let hash {
                try access.endElsewhere(of: id, except: nil, because: .passwordByOperator, in: transaction)
                try store.setPasswordHash(hash, of: id, in: transaction)
            }
            let parts = [displayName.map { _ in "name" }, email.map { _ in "email" }, hash.map { _ in "password" }]
            let changed = parts.compactMap(\.self) + attributes.map(\.text)
            guard !changed.isEmpty else { return }
            try auditLog.append(
                AuditRecord(AccountAuditEvent.changed, of: id, detail: changed.joined(separator: ", ")),
                in: transaction
            )
        }
        if email != nil { try await access.settle(id, because: .addressByOperator) }
        if hash != nil { try await access.settle(id, because: .passwordByOperator) }
        return try await show(id.description)
    }
}

/// An attribute that is set or removed.
private struct AttributeChange: Sendable {
    let name: String
    let value: String?

    var text: String { "\(name)=\(value ?? "")" }

    /// Parses `NAME=VALUE`, as for a new account, and also `NAME=`.
    static func parse(_ words: [String]) throws(AccountError) -> [AttributeChange] {
        var changes: [AttributeChange] = []
        for word in words {
            if word.hasSuffix("="), word.count > 1, word.count(where: { $0 == "=" }) == 1 {
                let name = String(word.dropLast())
                _ = try AccountAttributes(parsing: [name + "=" + (AccountAttributes.defaults[name] ?? "")])
                changes.append(AttributeChange(name: name, value: nil))
                continue
            }
            for (name, value) in try AccountAttributes(parsing: [word]).given {
                changes.append(AttributeChange(name: name, value: value))
            }
        }
        return changes
    }
}
