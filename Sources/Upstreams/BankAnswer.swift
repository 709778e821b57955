import Kernel
import Wallet

/// What banks answer: nothing is taken that has another form than it should, and no text of theirs gets into a cause.
enum BankAnswer {
    /// A year: more is a fault in the bank's units.
    private static let longestLifetime: Int64 = 366 * 86_400

    // MARK: Tokens

    /// The tokens of a successful answer (RFC 6749 §5.1); `nil` for a body that has none.
    static func tokens(_ body: [UInt8]) -> BankTokens? {
        guard case .object(let members)? = try? JSONReader.read(body), let access = members["access_token"]?.token,
            // A type that we don't know is one that we would use wrongly (RFC 6749 §7.1).
            case .string(let type)? = members["token_type"], type.lowercased() == "bearer"
        else { return nil }
        let refresh = members["refresh_token"]?.token
        guard refresh != nil || members["refresh_token"]?.isNull ?? true else { return nil }
        let seconds = members["expires_in"]?.integer
        return BankTokens(
            accessToken: Secret(access),
            refreshToken: refresh.map { Secret($0) },
            expiresIn: seconds.flatMap { (1...longestLifetime).contains($0) ? Int($0) : nil }
        )
    }

    /// Why a token endpoint gave nothing (RFC 6749 §5.2).
    static func failure(ofTokens status: Int, _ body: [UInt8]) -> BankFailure {
        switch status {
        case 429, 500...599: return .unavailable(cause: "HTTP \(status)")
        case 400..<500:
            guard case .object(let members)? = try? JSONReader.read(body), case .string(let code)? = members["error"]
            else { return .unusable(cause: "HTTP \(status) without an error") }
            switch code {
            case "invalid_grant": return .refused(cause: "HTTP \(status) invalid_grant")
            case "temporarily_unavailable", "slow_down": return .unavailable(cause: "HTTP \(status) \(code)")
            // Our client, our secret or our request: nothing that the person can mend by signing in again.
            case "invalid_client", "invalid_request", "unauthorized_client", "unsupported_grant_type", "invalid_scope":
                return .unusable(cause: "HTTP \(status) \(code)")
            default: return .unusable(cause: "HTTP \(status) with an unknown error")
            }
        default: return .unusable(cause: "HTTP \(status)")
        }
    }

    // MARK: Cards

    /// The cards of a list, or of an object with one under `cards`; `nil` where a single one of them is unfit.
    ///
    /// Half a list would have the cards removed that are not in it.
    static func cards(_ body: [UInt8]) -> [BankCard]? {
        let items: [JSONValue]
        switch try? JSONReader.read(body) {
        case .array(let list)?: items = list
        case .object(let members)?:
            guard case .array(let list)? = members["cards"] else { return nil }
            items = list
        default: return nil
        }
        guard items.count <= BankCard.mostPerBank else { return nil }
        var cards: [BankCard] = []
        for item in items {
            guard let card = card(item), !cards.contains(where: { $0.reference == card.reference }) else { return nil }
            cards.append(card)
        }
        return cards
    }

    /// Banks in the field name the members differently; of several names the one counts that says the most.
    private static func card(_ item: JSONValue) -> BankCard? {
        guard case .object(let members) = item, let reference = text(["cardToken", "token", "id"], of: members),
            let lastFour = text(["lastFour", "last4"], of: members),
            let network = text(["network", "cardType"], of: members)
        else { return nil }
        let card = BankCard(reference: reference, lastFour: lastFour, network: network)
        return card.isSound ? card : nil
    }

    private static func text(_ names: [String], of members: [String: JSONValue]) -> String? {
        for name in names {
            // Many write null for what they have not got.
            guard let value = members[name], !value.isNull else { continue }
            guard case .string(let text) = value else { return nil }
            return text
        }
        return nil
    }

    /// Why the cards were not told.
    static func failure(ofCards status: Int) -> BankFailure {
        switch status {
        case 401, 403: .refused(cause: "HTTP \(status)")
        case 429, 500...599: .unavailable(cause: "HTTP \(status)")
        default: .unusable(cause: "HTTP \(status)")
        }
    }
}

extension JSONValue {
    /// A token as it may stand in a header and in a form: visible ASCII that is not too long (RFC 6749 appendix A.12, A.17).
    fileprivate var token: String? {
        guard case .string(let text) = self, (1...8192).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return text
    }
}
