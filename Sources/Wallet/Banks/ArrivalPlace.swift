import Kernel

/// Where a state was shown: it is good in one place only.
struct ArrivalPlace {
    let bankID: String
    let browser: Secret?
    let webAccount: AccountID?
    let issuer: String?

    /// Why the attempt does not belong here, if it doesn't.
    func refusal(of attempt: EnrolmentAttempt, at bank: Bank) -> ArrivalRefusal? {
        // RFC 9700 §4.4.2.2: each bank has a callback of its own, besides what RFC 9207 adds.
        guard attempt.bankID == bankID else { return .otherBank }
        if let departed = attempt.browser {
            guard let browser, departed.matches(Digest256(sha256: browser.expose())) else { return .otherBrowser }
        }
        if let webAccount, webAccount != attempt.account { return .otherAccount }
        if let expected = bank.issuer {
            guard issuer == expected else { return .otherIssuer }
        }
        return nil
    }
}
