package import Kernel

extension OperationService {
    /// What the caller would be told by a poll, without collecting anything: an approval shows as a delivery.
    /// - Returns: `nil` for an id that nobody was given.
    package func look(_ publicID: Digest256, _ caller: Caller) async throws -> PollView? {
        if let view = peek(publicID, caller) { return view }
        guard let operation = try await known(publicID) else { return nil }
        guard Visibility.accessLevel(of: caller, to: operation) == .rightful else {
            return Visibility.outsideView(of: operation, at: clock.now)
        }
        switch operation.state {
        case .approved where !operation.isReturned(to: caller): return peek(publicID, caller)
        case .approved, .redeemed, .closed: return .delivered(seq: operation.seq)
        case .failed(let code, _): return .failed(code, seq: operation.seq)
        // Live ones are in the cache, where the look has found them: this one has just come.
        case .created, .opened, .pending: return peek(publicID, caller)
        }
    }

    /// What a caller is told that went away while it waited: an approval is left to be collected when it comes back.
    package func viewOnDisconnect(_ publicID: Digest256, _ caller: Caller) async throws -> PollView? {
        if let card = cache.card(publicID), case .approved = card.operation.state,
            Visibility.accessLevel(of: caller, to: card.operation) == .rightful
        {
            return pending(.processing, of: card, at: clock.now)
        }
        return try await look(publicID, caller)
    }
}

extension PollView {
    /// Whether nothing comes after it.
    package var isFinal: Bool {
        switch self {
        case .pending: false
        case .failed, .completed, .attested, .delivered: true
        }
    }
}
