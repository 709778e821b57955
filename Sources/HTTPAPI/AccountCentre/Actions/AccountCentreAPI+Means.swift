import Accounts
import Hummingbird
import Kernel
import Operations
import SignIn
import Web

// The face and the password.
extension AccountCentreAPI {
    /// `face`: offers to set the face up, to renew it, or to remove it.
    func showFace(_ visit: AccountVisit) async throws -> Response {
        try await faces(visit, fault: nil)
    }

    private func faces(_ visit: AccountVisit, fault: AccountKey?) async throws -> Response {
        let ways = try await owner.means.ways(of: visit.who.account)
        var sections: [AccountContent.Section] = []
        if changes.enrolment != nil {
            sections.append(
                section(
                    .face,
                    visit,
                    intro: ways.hasFace ? .faceRenewLead : .faceAddLead,
                    hidden: [("do", "enrol")],
                    button: ways.hasFace ? .faceRenew : .faceAdd
                )
            )
        }
        if ways.hasFace {
            sections.append(
                ways.surviveFace
                    ? section(
                        .face,
                        visit,
                        heading: .faceRemovalTitle,
                        intro: .faceRemovalLead,
                        hidden: [("do", "remove")],
                        button: .remove,
                        tone: .danger
                    )
                    : .init(
                        anchor: "last",
                        heading: visit.texts[AccountKey.faceRemovalTitle],
                        intro: visit.texts[AccountKey.lastWayLead]
                    )
            )
        }
        return form(
            visit,
            title: .faceTitle,
            lead: visit.texts[ways.hasFace ? AccountKey.faceSet : .faceUnset],
            fault: fault.map { visit.texts[$0] },
            sections: sections
        )
    }

    /// `face`: begins the set-up of a face in a tab of its own, or removes the face.
    func changeFace(_ visit: AccountVisit) async throws -> AccountOutcome {
        guard visit.field("do") == "remove" else { return try await enrol(visit) }
        do {
            guard try await owner.means.withdrawFace(person(visit)) else { throw AccountThingMissingError() }
        } catch is LastWayInError { return .answer(try await showFace(visit)) }
        return .done(.faceRemoved)
    }

    /// Begins the set-up of a face, for which a mailed code is not enough where the account has a passkey or a face.
    private func enrol(_ visit: AccountVisit) async throws -> AccountOutcome {
        guard let enrolment = changes.enrolment else { throw AccountThingMissingError() }
        guard try await stepUp.enrolmentPolicy.isAllowed(to: visit.who.means) else {
            return .answer(pages.stronger(visit, for: .face, lead: .olderProofLead))
        }
        do {
            let begun = try await enrolment.begin(
                by: visit.who,
                at: .init(id: AccountVisit.client, name: visit.texts.brand.name),
                for: visit.request,
                in: visit.context
            )
            return .answer(awaitScan(begun))
        } catch {
            let problem = APIError(error, bodyLimit: server.bodyLimit)
            switch problem {
            case .stepUpRequired: return .answer(pages.stronger(visit, for: .face))
            case .emailNotVerified: return .answer(try await faces(visit, fault: .addressFirst))
            case .enrollmentNotOffered: return .answer(try await faces(visit, fault: .faceNotOffered))
            default: throw error
            }
        }
    }

    // MARK: Password

    /// `password`: asks for the new password, and for the old one where it is needed.
    func showPassword(_ visit: AccountVisit) async throws -> Response { try await passwords(visit, fault: nil) }

    private func passwords(_ visit: AccountVisit, fault: AccountKey?) async throws -> Response {
        let hasPassword = try await owner.means.ways(of: visit.who.account).hasPassword
        var inputs: [AccountContent.Input] = []
        if hasPassword, !visit.who.isMailboxProven {
            inputs.append(
                .init(
                    field: "current",
                    caption: visit.texts[AccountKey.currentPassword],
                    type: "password",
                    autocomplete: "current-password",
                    isWrong: fault == .passwordWrong,
                    most: PasswordService.length.upperBound
                )
            )
        }
        inputs.append(
            .init(
                field: "new",
                caption: visit.texts[AccountKey.newPassword],
                type: "password",
                autocomplete: "new-password",
                note: visit.texts.text(
                    AccountKey.newPasswordHint,
                    with: "\(PasswordService.length.lowerBound)"
                ),
                isWrong: fault == .passwordWeak,
                most: PasswordService.length.upperBound
            )
        )
        var section = section(
            .password,
            visit,
            intro: .passwordEndsLead,
            ends: .passwordChanged,
            inputs: inputs,
            button: .save
        )
        let record = try await services.accounts.accounts.active(visit.who.account)
        section.form?.username = record?.profile.email?.text ?? record?.username?.shown
        return form(
            visit,
            title: hasPassword ? .passwordChange : .passwordAdd,
            lead: nil,
            fault: fault.map { visit.texts[$0] },
            sections: [section]
        )
    }

    /// `password`: sets the password and ends all other access.
    func changePassword(_ visit: AccountVisit) async throws -> AccountOutcome {
        let current = visit.field("current")
        let input = PasswordChangeRequest(
            currentPassword: current.isEmpty ? nil : current,
            newPassword: visit.field("new")
        )
        do {
            try await changes.password.change(
                input,
                by: visit.who,
                at: AccountVisit.client,
                for: visit.request,
                in: visit.context
            )
            return .done(.passwordChanged)
        } catch {
            let problem = APIError(error, bodyLimit: server.bodyLimit)
            switch problem {
            case .weakPassword: return .answer(try await passwords(visit, fault: .passwordWeak))
            case .wrongPassword:
                services.operations.service.refusals.count(problem)
                return .answer(try await passwords(visit, fault: .passwordWrong))
            default: throw error
            }
        }
    }

    /// `password-removal`: asks whether to remove the password.
    func showPasswordRemoval(_ visit: AccountVisit) async throws -> Response {
        let ways = try await owner.means.ways(of: visit.who.account)
        guard ways.hasPassword else { throw AccountThingMissingError() }
        guard ways.survivePassword else { return lastWay(visit, title: .passwordRemove) }
        let section = section(.passwordRemoval, visit, button: .remove, tone: .quiet)
        return form(
            visit,
            title: .passwordRemove,
            lead: visit.texts[AccountKey.passwordRemovalLead],
            sections: [section]
        )
    }

    /// `password-removal`: removes the password, if the person has another way in.
    func removePassword(_ visit: AccountVisit) async throws -> AccountOutcome {
        do {
            guard try await owner.means.removePassword(person(visit)) else { throw AccountThingMissingError() }
        } catch is LastWayInError { return .answer(lastWay(visit, title: .passwordRemove)) }
        return .done(.passwordRemoved)
    }
}
