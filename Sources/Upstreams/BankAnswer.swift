import CodeFlow
import Kernel
import Wallet

/// Reads the answers of banks.
///
/// An answer in an unexpected form is refused, and a bank's text never becomes part of a cause.
enum BankAnswer {
    // MARK: Tokens

    /// Returns the tokens of an answer.
    ///
    /// Throws: the reason why it has none (RFC 6749 §5.2).
    static func tokens(_ answer: TokenAnswer) throws(BankError) -> GrantedTokens {
        switch answer {
        case .tokens(let tokens): return tokens
        case .noTokens: throw .unusable(cause: "HTTP 200 with a body that has no tokens in it")
        case .outage(let status): throw .unavailable(cause: "HTTP \(status)")
        case .unexpected(let status): throw .unusable(cause: "HTTP \(status)")
        case .refused(let status, nil): throw .unusable(cause: "HTTP \(status) without an error")
        case .refused(let status, let code?):
            switch code {
            case "invalid_grant": throw .refused(cause: "HTTP \(status) invalid_grant")
            case "temporarily_unavailable", "slow_down": throw .unavailable(cause: "HTTP \(status) \(code)")
            // This server's registration, secret or request is wrong. The person cannot correct that by signing in
            // again.
            case "invalid_client", "invalid_request", "unauthorized_client", "unsupported_grant_type", "invalid_scope":
                throw .unusable(cause: "HTTP \(status) \(code)")
            default: throw .unusable(cause: "HTTP \(status) with an unknown error")
            }
        }
    }

    // MARK: Cards

    /// Returns the cards of a list, or of an object with a list in `cards`; `nil` if any card is invalid.
    ///
    /// An incomplete list would delete the cards that are missing from it.
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

    /// Returns the card in a member of the list.
    ///
    /// Banks name the members differently: the most specific name counts.
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
            // Many banks write `null` for a missing value.
            guard let value = members[name], !value.isNull else { continue }
            guard case .string(let text) = value else { return nil }
            return text
        }
        return nil
    }

    /// Returns the error of a card request that was answered with that status.
    static func failure(ofCards status: Int) -> BankError {
        switch status {
        case 401, 403: .refused(cause: "HTTP \(status)")
        case 429, 500...599: .unavailable(cause: "HTTP \(status)")
        default: .unusable(cause: "HTTP \(status)")
        }
    }
}
