import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import Passkeys
import SignIn
import Wallet
import Wire

/// The one place where an error becomes an answer. The cause stays here, for the log.
extension APIError {
    /// What a caller is told about an error.
    ///
    /// `bodyLimit`: the largest body in bytes where the request came in.
    init(_ error: any Error, bodyLimit: Int) {
        switch error {
        case let problem as APIError: self = problem
        case let failure as StoreFailure:
            switch failure {
            // A damaged file may be restored behind us: the caller is to come back.
            case .unavailable, .corrupt: self = .storeUnavailable
            case .conflict, .foreignTransaction: self = .internalError
            }
        case let exhausted as StoreLookups.Exhausted:
            self = .tooMany(for: exhausted.retryAfter)
        case let exceeded as LimitExceeded:
            self = .tooMany(for: exceeded.retryAfter)
        case let lockedOut as LockedOut: self = .tooMany(for: lockedOut.wait, by: .wrongPasswords)
        case is PasswordHasherBusy: self = .rateLimited(retryAfter: 2, by: .passwordsInLine)
        // RFC 9126 §2.3.
        case let exceeded as TooManyPushed: self = .tooMany(for: exceeded.retryAfter, by: .pushedRequestsPerClient)
        case let fault as AccountFault: self = APIError(fault)
        case let refusal as PasskeyRefusal: self = APIError(refusal)
        case PasskeySignIn.RefusedError.account: self = .unauthorized(.passkey)
        case PasskeySignIn.RefusedError.session: self = .challengeOver
        case is SessionOverError: self = .unauthorized(.badToken)
        case let refusal as PaymentRefusal: self = APIError(refusal)
        case EmailCodeRefusal.tooMany(let wait): self = .tooMany(for: wait, by: .mailedCodes)
        case let refusal as MailRefusal:
            switch refusal {
            case .queueFull: self = .storeUnavailable
            case .unmailableAddress: self = .invalidEmail
            }
        case let refusal as SyncRefusal: self = APIError(refusal)
        // There is another one, of faces.
        case let refusal as Wallet.EnrolmentRefusal:
            switch refusal {
            case .sessionOver: self = .unauthorized(.badToken)
            }
        case let refusal as ClientDirectory.Refusal:
            switch refusal {
            case .required: self = .clientRequired
            case .unknown: self = .unknownClient
            case .elsewhere: self = .clientNotAllowed
            }
        case let error as any HTTPResponseError where error.status == .notFound: self = .notFound
        case let error as any HTTPResponseError where error.status == .contentTooLarge:
            self = .payloadTooLarge(limit: bodyLimit)
        case let error as any HTTPResponseError where error.status.kind == .clientError:
            self = .invalidRequest("The request can't be understood.")
        default: self = .internalError
        }
    }

    /// What people are told who open or change their account.
    private init(_ fault: AccountFault) {
        switch fault {
        case .badEmail: self = .invalidEmail
        case .badName: self = .invalidName
        case .weakPassword: self = .weakPassword
        case .emailTaken: self = .emailTaken
        case .badUsername: self = .invalidUsername()
        case .usernameTaken: self = .usernameTaken
        // What only operators ask for.
        case .badAttribute, .badAttributeValue, .providerAccountTaken, .providerAccountOfNobody, .enrolledAlready,
            .badProviderAccount, .providerAccountNeeded, .unknownAccount, .unknownProvider, .providerFailed, .badImport:
            self = .internalError
        }
    }

    /// What people are told whose passkey was not taken.
    init(_ refusal: PasskeyRefusal) {
        switch refusal {
        case .challengeOver: self = .challengeOver
        case .unknownPasskey: self = .unknownPasskey
        case .registeredAlready: self = .passkeyRegistered
        case .ceremony(let error): self = .passkeyRefused(reason: error.fault.explanation)
        case .notAccepted:
            self = .passkeyRefused(
                reason: "This is no answer of one of the name’s passkeys, for this site and with the checks that were "
                    + "asked for; try again, and let the device make sure that it is you."
            )
        case .noRelyingParty: self = .relyingPartyNotListed
        case .badName: self = .invalidUsername()
        case .nameTaken: self = .usernameTaken
        case .registrationClosed: self = .registrationClosed
        case .signInTooOld: self = .stepUpRequired
        case .tooMany: self = .tooManyPasskeys
        case .notFound: self = .passkeyNotFound
        case .last: self = .lastPasskey
        }
    }

    /// What people are told whose bank was not asked for its cards again, or in vain.
    private init(_ refusal: SyncRefusal) {
        switch refusal {
        case .notEnrolled: self = .bankNotEnrolled
        case .signInNeeded: self = .bankSignInNeeded
        case .unavailable: self = .bankUnavailable(isUnusable: false)
        case .unusable: self = .bankUnavailable(isUnusable: true)
        }
    }

    /// What people are told whose payment goes no further.
    private init(_ refusal: PaymentRefusal) {
        switch refusal {
        case .cardNotFound: self = .cardNotFound
        case .idempotencyMismatch: self = .idempotencyMismatch
        case .tooLarge, .tooManyToday: self = .paymentLimit
        case .tooManyOpen(let wait): self = .tooManyOpenPayments(retryAfter: Int(max(1, wait.secondsRoundedUp)))
        case .notFound: self = .paymentNotFound
        case .over(let status): self = .paymentOver(status)
        case .changed: self = .paymentChanged
        case .sessionOver: self = .unauthorized(.badToken)
        case .wrongProof: self = .paymentProofRefused
        }
    }

    /// The answer, with the one error body.
    func response(requestID: String) -> Response {
        var response = JSONReply.encode(
            ProblemBody(code: code, message: message, requestId: requestID, interval: advisedInterval),
            status: status
        )
        if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        // RFC 9110 §15.5.9, RFC 9112 §9.6.
        if endsConnection { response.headers[.connection] = "close" }
        if case .methodNotAllowed(let allowed) = self {
            response.headers[.allow] = allowed.map(\.rawValue).joined(separator: ", ")
        }
        // RFC 9110 §15.5.2: a 401 names its scheme.
        if case .unauthorized(let lack) = self { response.headers[.wwwAuthenticate] = Self.challenge(for: lack) }
        if case .invalidDPoPProof = self {
            response.headers[.wwwAuthenticate] = Self.dpopChallenge(error: "invalid_dpop_proof")
        }
        // RFC 6750 §3.1, RFC 9449 §7.1.
        if case .insufficientScope(let scope, let isBound) = self {
            let challenge = #"error="insufficient_scope", scope="\#(scope)""#
            response.headers[.wwwAuthenticate] =
                isBound
                ? "\(TokenScheme.dpop) \(challenge), algs=\"\(DPoPGate.algorithms)\"" : "Bearer \(challenge)"
        }
        // No scheme is registered for what proves a webhook; the field must be there all the same.
        if case .webhookNotVerified = self { response.headers[.wwwAuthenticate] = "WebhookSignature" }
        return response
    }

    /// RFC 6750 §3.1: no code for who brought no token; RFC 9449 §7.1: both schemes where both are taken.
    private static func challenge(for lack: Unproven) -> String {
        switch lack {
        case .badToken, .badRefreshToken: #"Bearer error="invalid_token""#
        case .boundToken: dpopChallenge(error: "invalid_token")
        case .boundKeyProof: dpopChallenge(error: nil)
        // In one field, the older scheme first: whoever knows it alone reads on to the comma.
        case .noToken, .operation: "Bearer, \(dpopChallenge(error: nil))"
        case .credentials, .noRefreshToken, .deviceProof, .badCode, .badSignature, .passkey: "Bearer"
        }
    }

    /// RFC 9449 §7.1.
    private static func dpopChallenge(error: String?) -> String {
        let code = error.map { "error=\"\($0)\", " } ?? ""
        return "\(TokenScheme.dpop) \(code)algs=\"\(DPoPGate.algorithms)\""
    }

    private var advisedInterval: Int? {
        if case .slowDown(let interval) = self { interval } else { nil }
    }
}
