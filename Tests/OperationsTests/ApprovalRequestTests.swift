import Kernel
import Operations
import StoreContract
import Testing

/// What may be put before a person to be approved.
struct ApprovalRequestTests {
    private func fault(message: String = "Pay", payee: String? = nil) -> ApprovalRequest.ValidationError? {
        do throws(ApprovalRequest.ValidationError) {
            _ = try ApprovalRequest(message: message, amount: nil, payee: payee, payloadHash: nil)
            return nil
        } catch { return error }
    }

    @Test(arguments: [
        "Pay", "Payer 1\u{202F}250,00\u{A0}€ à Éloïse", "支払いを承認する", "תשלום ל-Shop", "ادفع الآن", "Trả tiền",
        "e\u{301}te\u{301}", "<b>&amp;\"'</b>", "👍 OK", "हिन्दी में भुगतान",
    ])
    func `plain text of any language is taken as it is`(_ text: String) throws {
        let order = try ApprovalRequest(message: text, amount: nil, payee: text, payloadHash: nil)
        #expect(Array(order.message.utf8) == Array(text.utf8))
        #expect(order.payee.map { Array($0.utf8) } == Array(text.utf8))
    }

    // T-137
    @Test(arguments: [
        "", " ", " Pay", "Pay ", "Pay  Shop", "Pay\u{A0} Shop", "Pay\nShop", "Pay\r\nShop", "Pay\tShop", "Pay\u{0}",
        "Pay\u{7F}",
        "Pay\u{85}Shop", "Pay\u{2028}Shop", "Pay\u{2029}Shop",
        // Marks that turn text around (UAX #9): embeddings, overrides, isolates.
        "Pay \u{202E}00.05\u{202C}", "\u{202D}Pay", "\u{202A}Pay", "\u{202B}Pay", "\u{2066}Pay\u{2069}", "\u{2067}Pay",
        "\u{2068}Pay", "Pay\u{200E}", "Pay\u{200F}", "Pay\u{61C}",
        // What shows nothing.
        "Pay\u{200B}Shop", "Pay\u{200C}Shop", "Pay\u{200D}Shop", "Pay\u{FEFF}", "Pay\u{AD}Shop", "Pay\u{2060}Shop",
        "\u{3164}", "\u{115F}Pay", "\u{FFA0}", "Pay\u{2800}Shop", "Pay\u{34F}Shop", "Pay\u{FE0F}", "Pay\u{E0041}",
        // Wide blanks push text out of sight.
        "Pay\u{2003}Shop", "Pay\u{3000}Shop", "Pay\u{1680}Shop",
        // Marks on nothing, and more of them than any script has.
        "\u{301}Pay", "Pay \u{301}", "Pa\u{301}\u{302}\u{303}\u{304}y", "Pay\u{E000}", "Pay\u{FFFF}",
    ])
    func `attack: an approval message or payee with misleading characters is refused`(_ text: String) {
        #expect(fault(message: text) == .message)
        #expect(fault(payee: text) == .payee)
    }

    // T-137
    @Test func `attack: an approval message over 200 scalars and a payee over 100 are refused`() {
        #expect(fault(message: String(repeating: "ü", count: 200)) == nil)
        #expect(fault(message: String(repeating: "x", count: 201)) == .message)
        #expect(fault(message: String(repeating: "e\u{301}", count: 101)) == .message, "200 characters, 202 scalars")
        #expect(fault(payee: String(repeating: "😀", count: 100)) == nil)
        #expect(fault(payee: String(repeating: "x", count: 101)) == .payee)
    }

    @Test(arguments: ["0", "7", "0.5", "1250.00", "999999999999.9999"])
    func `a sum is kept as it was written`(_ value: String) {
        #expect(ApprovalRequest.Amount(value: value, currency: "EUR")?.value == value)
    }

    // T-137
    @Test(arguments: [
        "", ".", "1.", ".5", "01", "00", "-1", "+1", "1,00", "1 000", "1e3", "0x1", "1.00000", "1000000000000", "NaN",
        "١٢",
        "1.0.0", "1\u{202E}", " 1", "1 ",
    ])
    func `attack: an approval amount in an ambiguous notation is refused`(_ value: String) {
        #expect(ApprovalRequest.Amount(value: value, currency: "EUR") == nil)
    }

    @Test(arguments: ["", "EU", "EURO", "eur", "E R", "ÉUR", "€", "US$", "EU\u{301}"])
    func `a currency is three capital letters`(_ currency: String) {
        #expect(ApprovalRequest.Amount(value: "1", currency: currency) == nil)
    }

    // T-135
    @Test func `an approval always asks first, whatever the client's logins do`() {
        for step in LandingPolicy.Step.allCases {
            for mode in LoginMode.allCases {
                var draft = OperationSample.draft(1)
                draft.policy = OperationSample.policy(landing: LandingPolicy(step: step))
                draft.binding = OperationBinding(mode: mode)
                draft.purpose = .approve(OperationSample.order, startedBy: OperationSample.session)
                #expect(draft.operation.asksFirst)
                draft.purpose = .enroll(startedBy: OperationSample.session)
                #expect(!draft.operation.asksFirst)
            }
        }
    }
}
