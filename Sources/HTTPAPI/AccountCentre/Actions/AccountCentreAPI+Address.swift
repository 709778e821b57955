import Accounts
import Hummingbird
import Kernel
import SignIn
import Web

// The address of the account.
extension AccountCentreAPI {
    /// `email`: asks for the new address, or for the code that was mailed to it.
    func showEmail(_ visit: AccountVisit) async throws -> Response {
        guard try await isEntitledToAddress(visit) else { return pages.stronger(visit, for: .email) }
        return addresses(visit, asksCode: false, fault: nil)
    }

    /// `email`: mails a link and a code to the new address, or proves the address by the code.
    func changeEmail(_ visit: AccountVisit) async throws -> AccountOutcome {
        visit.field("do") == "prove" ? try await proveAddress(visit) : try await mailToAddress(visit)
    }

    private func mailToAddress(_ visit: AccountVisit) async throws -> AccountOutcome {
        guard try await isEntitledToAddress(visit) else { return .answer(pages.stronger(visit, for: .email)) }
        do {
            let typed = String(visit.field("email").prefix(1024).trimmed)
            let client = AccountVisit.client
            try await changes.email.mail(to: typed, by: visit.who, at: client, visit.request, visit.context)
            return .answer(addresses(visit, asksCode: true, fault: nil))
        } catch {
            guard APIError(error, bodyLimit: server.bodyLimit) == .invalidEmail else { throw error }
            return .answer(addresses(visit, asksCode: false, fault: .emailWrong))
        }
    }

    private func proveAddress(_ visit: AccountVisit) async throws -> AccountOutcome {
        do {
            let typed = String(visit.field("code").prefix(64))
            try await changes.email.prove(
                typed,
                by: visit.who,
                at: AccountVisit.client,
                for: visit.request,
                in: visit.context
            )
            return .done(.emailChanged)
        } catch {
            let problem = APIError(error, bodyLimit: server.bodyLimit)
            guard [APIError.wrongAddressCode.code, APIError.invalidRequest("").code].contains(problem.code) else {
                throw error
            }
            return .answer(addresses(visit, asksCode: true, fault: .codeWrong))
        }
    }

    /// Whether the session began with enough to change the address (``CoolingOff``).
    private func isEntitledToAddress(_ visit: AccountVisit) async throws -> Bool {
        do { try await changes.email.requireEntitlement(of: visit.who) } catch let error as APIError
            where error == .stepUpRequired
        { return false }
        return true
    }

    private func addresses(_ visit: AccountVisit, asksCode: Bool, fault: AccountKey?) -> Response {
        let texts = visit.texts
        let address = section(
            .email,
            visit,
            heading: asksCode ? .addressAnew : nil,
            inputs: [
                .init(
                    field: "email",
                    caption: texts[AccountKey.newAddress],
                    type: "email",
                    typed: asksCode ? "" : visit.field("email"),
                    autocomplete: "email",
                    isWrong: fault == .emailWrong
                )
            ],
            button: .sendCode,
            tone: asksCode ? .plain : .primary
        )
        let code = section(
            .email,
            visit,
            intro: .codeLead,
            ends: .addressProvedInApp,
            hidden: [("do", "prove")],
            inputs: [
                .init(
                    field: "code",
                    caption: texts[AccountKey.code],
                    autocomplete: "one-time-code",
                    isWrong: fault == .codeWrong,
                    most: 32
                )
            ],
            button: .confirmAddress
        )
        return form(
            visit,
            title: .addressChange,
            lead: visit.who.email.isEmpty ? nil : visit.who.email,
            fault: fault.map { texts[$0] },
            sections: asksCode ? [code, address] : [address]
        )
    }
}
