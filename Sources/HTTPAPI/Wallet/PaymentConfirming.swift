import Devices
import Hummingbird
import Kernel
import Operations
import Passkeys
import Tokens
import Wallet
import Web

/// Confirms payments with the key of the session's device, with a passkey, or with a face in an approval of the
/// session.
///
/// All three proofs cover the payment's hash, and so its amount and its payee (RTS (EU) 2018/389 Art. 5). A payment's
/// proof is never accepted for a sign-in, and a sign-in's proof never for a payment.
struct PaymentConfirming: Sendable {
    let service: PaymentService
    let keys: DeviceKeyService
    /// `nil` without passkeys.
    let passkeys: PaymentPasskeys?
    let approvals: ApprovalStarter
    let verifier: TokenVerifier
    let environment: Environment
    let limits: DeviceLimits?
    let addresses: ClientAddresses

    /// Returns the methods by which this session can confirm payments.
    ///
    /// `face` is always among them, because only the start of an approval finds out whether a face is enrolled.
    func methods(of who: SignedIn) async throws -> [PaymentMethod] {
        var methods: [PaymentMethod] = []
        if let device = who.device, try await keys.hasKey(device, of: who.account) { methods.append(.deviceKey) }
        if let passkeys, try await passkeys.isOffered(to: who) { methods.append(.passkey) }
        return methods + [.face]
    }

    /// Starts a confirmation: returns the address of a scan, options for a passkey, or a text for the device's key to
    /// sign.
    func begin(
        _ method: PaymentMethod,
        of id: PaymentID,
        by who: SignedIn,
        for request: Request,
        in context: APIContext
    ) async throws -> Response {
        let payment = try await pending(id, who)
        switch method {
        case .face:
            let approval = try Self.approval(of: payment, in: context.language.texts(for: request))
            return try await approvals.start(approval, by: who, for: request, in: context)
        case .passkey:
            guard let passkeys else { throw APIError.relyingPartyNotListed }
            let options = try await passkeys.options(for: payment, by: who, answering: request, in: context)
            return JSONReply.encode(PaymentPasskeys.Reply(options: options))
        case .deviceKey:
            guard try await signer(of: who) != nil else { throw APIError.biometricNotEnabled }
            return JSONReply.encode(
                PaymentChallengeResponse(challenge: payment.challenge, textToSign: payment.textToSign)
            )
        }
    }

    /// Confirms the payment with the presented proof.
    ///
    /// An invalid proof counts against the payment, and against the device like a wrongly answered challenge.
    func confirm(
        _ id: PaymentID,
        with answer: PaymentAnswer,
        by who: SignedIn,
        for request: Request,
        in context: APIContext
    ) async throws -> ConfirmedPayment {
        let (asked, presented) = (answer.asked, try answer.presented())
        let payment = try await pending(id, who)
        guard payment.isFor(value: asked.amount, currency: asked.currency, merchantName: asked.merchantName) else {
            throw PaymentError.changed
        }
        let (signer, address) = (try await signer(of: who), addresses.client(of: request, context))
        let counted = signer?.name ?? who.session.description
        try await limits?.admitAnswer(of: counted, from: address)
        let proof =
            switch presented {
            case .signature(let text, let challenge):
                try signed(text, challenge: challenge, by: signer, on: asked.deviceId, for: payment, in: who)
            case .passkey(let json): try await answered(json, for: payment, by: who)
            case .approval(let token): try approved(token, for: payment, by: who, in: context.language.languages)
            }
        do {
            return try await service.confirm(
                payment.id,
                of: who.account,
                session: who.session,
                by: proof.method,
                proof: proof.redeem
            )
        } catch PaymentError.wrongProof {
            try await limits?.noteWrongAnswer(of: counted, from: address)
            throw proof.refusal
        }
    }

    /// - Throws: ``PaymentError/notFound``, ``PaymentError/over(_:)``.
    private func pending(_ id: PaymentID, _ who: SignedIn) async throws -> Payment {
        let payment = try await service.find(id, of: who.account)
        guard payment.state == .pending else { throw PaymentError.over(payment.state.status) }
        return payment
    }

    /// Returns the session's own device, if it has a key.
    private func signer(of who: SignedIn) async throws -> PaymentSigner? {
        guard let device = who.device else { return nil }
        return try await keys.signer(on: device, of: who.account)
    }

    /// Returns an approval whose page shows the payment and whose token contains the payment's hash.
    private static func approval(of payment: Payment, in texts: LocalizedStrings) throws -> ApprovalRequest {
        let sum = ApprovalRequest.Amount(value: payment.contents.money.value, currency: payment.contents.money.currency)
        guard let sum else { throw APIError.invalidAmount }
        return try ApprovalRequest(
            message: message(payment, in: texts),
            amount: sum,
            payee: payment.contents.merchant.name,
            payloadHash: payment.hash
        )
    }

    /// Returns the sentence on the approval's page which says that this is a payment, and with which card.
    private static func message(_ payment: Payment, in texts: LocalizedStrings) -> String {
        texts.text(ApprovalKey.payment, with: payment.contents.label.lastFour)
    }
}

/// A checked proof of a payment, whose challenge is not used up yet.
private struct PaymentProof: Sendable {
    let method: PaymentMethod
    /// The error of an invalid proof.
    let refusal: APIError
    /// Uses up the proof in the unit of work of the confirmation; returns `false` for an invalid one.
    let redeem: @Sendable (borrowing Transaction) throws -> Bool
}

// The three proofs.
extension PaymentConfirming {
    /// Checks a signature, which only the key of the session's own device may make.
    private func signed(
        _ text: String,
        challenge: String,
        by signer: PaymentSigner?,
        on deviceID: String?,
        for payment: Payment,
        in who: SignedIn
    ) throws -> PaymentProof {
        let signature = try DeviceInput.signature(text, "signature")
        guard who.device != nil else { throw APIError.wrongDevice }
        guard let signer else { throw APIError.biometricNotEnabled }
        if let deviceID {
            guard UUIDBits(try DeviceInput.id(deviceID)) == UUIDBits(signer.name) else { throw APIError.wrongDevice }
        }
        let holds = challenge == payment.challenge && signer.agrees(signature, to: payment.textToSign)
        return PaymentProof(method: .deviceKey, refusal: .paymentProofRefused) { [keys] transaction in
            guard holds else { return false }
            return try keys.redeem(signer, in: transaction)
        }
    }

    private func answered(_ json: JSONValue, for payment: Payment, by who: SignedIn) async throws -> PaymentProof {
        guard let passkeys else { throw APIError.relyingPartyNotListed }
        do {
            let checked = try await passkeys.check(json, for: payment, by: who)
            return PaymentProof(method: .passkey, refusal: .challengeOver) { transaction in
                try passkeys.redeem(checked, in: transaction)
                return true
            }
        } catch let refusal as PasskeyError {
            return PaymentProof(method: .passkey, refusal: refusal.apiError) { _ in false }
        }
    }

    /// Checks the token of an approval in this session for the payment's hash, amount, payee and message.
    ///
    /// An app may request its own approval and choose its message. An approval whose page did not say that this is a
    /// payment, and with which card, confirms no payment. The payer has to be made aware of both (RTS (EU) 2018/389
    /// Art. 5(1)(a)).
    private func approved(
        _ token: String,
        for payment: Payment,
        by who: SignedIn,
        in languages: Languages
    ) throws -> PaymentProof {
        let audience = try approvals.audience(for: who)
        let claims = try? verifier.verifyApproval(token, audiences: [audience], now: environment.now())
        let holds = claims.map { Self.approves($0, payment, of: who, in: languages) } ?? false
        return PaymentProof(method: .face, refusal: .paymentProofRefused) { _ in holds }
    }

    private static func approves(
        _ claims: ApprovalClaims,
        _ payment: Payment,
        of who: SignedIn,
        in languages: Languages
    ) -> Bool {
        let subject = claims.subject
        return claims.account == who.account && claims.session == who.session && claims.clientID == who.client
            && subject.payloadHash == payment.hash && subject.amount?.value == payment.contents.money.value
            && subject.amount?.currency == payment.contents.money.currency
            && subject.payee.map { $0.utf8.elementsEqual(payment.contents.merchant.name.utf8) } ?? false
            && languages.all.contains { message(payment, in: $0).utf8.elementsEqual(subject.message.utf8) }
    }
}
