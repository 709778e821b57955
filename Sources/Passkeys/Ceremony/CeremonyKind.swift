internal import Kernel

/// The two ceremonies, which begin with the same checks under different step numbers.
enum CeremonyKind: Sendable {
    case registration
    case authentication

    /// The type in the client data (WebAuthn L3 §5.8.1).
    var type: String {
        switch self {
        case .registration: "webauthn.create"
        case .authentication: "webauthn.get"
        }
    }

    /// Returns this ceremony's step: `registration` is its number in §7.1, `authentication` that in §7.2.
    func step(_ registration: Int, _ authentication: Int) -> CeremonyStep {
        switch self {
        case .registration: .registration(registration)
        case .authentication: .authentication(authentication)
        }
    }
}

extension CeremonyKind {
    /// Verifies that the client data belong to this ceremony (§7.1 steps 5 to 11, §7.2 steps 8 to 14).
    func verify(
        _ read: Result<ClientData, ClientDataError>,
        challenge: [UInt8],
        relyingParty: RelyingParty
    ) throws(CeremonyError) {
        // §7.1 steps 5 and 6, §7.2 steps 8 and 9: UTF-8, then JSON.
        let clientData: ClientData
        do throws(ClientDataError) {
            clientData = try read.get()
        } catch {
            switch error {
            case .notUTF8: throw CeremonyError(.clientDataNotUTF8, step(5, 8))
            case .malformed: throw CeremonyError(.clientDataMalformed, step(6, 9))
            }
        }
        // §7.1 step 7, §7.2 step 10: the type is this ceremony's.
        guard clientData.type == type else { throw CeremonyError(.wrongType, step(7, 10)) }
        // §7.1 step 8, §7.2 step 11: the challenge is the one that was given out.
        guard ConstantTime.equal(Array(clientData.challenge.utf8), Array(Base64URL.encode(challenge).utf8)) else {
            throw CeremonyError(.wrongChallenge, step(8, 11))
        }
        // §7.1 step 9, §7.2 step 12: the origin is expected.
        guard relyingParty.allows(origin: clientData.origin) else {
            throw CeremonyError(.originNotAllowed, step(9, 12))
        }
        try verifyFrame(of: clientData, relyingParty.frames)
    }

    private func verifyFrame(of clientData: ClientData, _ frames: FramePolicy) throws(CeremonyError) {
        switch frames {
        case .refused:
            // §7.1 step 10, §7.2 step 13: no frame of another site.
            guard !clientData.isCrossOrigin else { throw CeremonyError(.crossOrigin, step(10, 13)) }
            // §7.1 step 11.1, §7.2 step 14.1: the browser must not report a page around the frame (`topOrigin`).
            guard clientData.topOrigin == nil else { throw CeremonyError(.topOrigin, step(11, 14)) }
        case .allowed(let topOrigins, let unnamed):
            // §7.1 step 10, §7.2 step 13: a frame in an unnamed page is only allowed by the policy.
            guard !clientData.isCrossOrigin || clientData.topOrigin != nil || unnamed else {
                throw CeremonyError(.crossOrigin, step(10, 13))
            }
            // §7.1 step 11.2, §7.2 step 14.2: the page around the frame is an allowed one.
            guard let page = clientData.topOrigin else { return }
            guard topOrigins.contains(where: { $0.isWritten(page) }) else {
                throw CeremonyError(.topOriginNotAllowed, step(11, 14))
            }
        }
    }

    /// Verifies the RP ID and the flags (§7.1 steps 14 to 17, §7.2 steps 15 to 18).
    func verify(
        _ data: AuthenticatorData,
        relyingParty: RelyingParty,
        requiresUserPresence: Bool,
        requiresUserVerification: Bool
    ) throws(CeremonyError) {
        // §7.1 step 14, §7.2 step 15: the credential is this relying party's.
        guard data.rpIDHash == relyingParty.idHash else { throw CeremonyError(.wrongRPID, step(14, 15)) }
        // §7.1 step 15, §7.2 step 16: the user was present.
        guard data.flags.contains(.userPresent) || !requiresUserPresence else {
            throw CeremonyError(.userNotPresent, step(15, 16))
        }
        // §7.1 step 16, §7.2 step 17: the user was verified, if that is required.
        guard data.flags.contains(.userVerified) || !requiresUserVerification else {
            throw CeremonyError(.userNotVerified, step(16, 17))
        }
        // §7.1 step 17, §7.2 step 18: a credential that can't be backed up is not backed up.
        guard data.flags.contains(.backupEligible) || !data.flags.contains(.backedUp) else {
            throw CeremonyError(.backedUpNotEligible, step(17, 18))
        }
    }
}
