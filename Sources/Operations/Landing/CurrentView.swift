package import Kernel

extension OperationService {
    /// Returns the operation's state for the viewer, without collecting; `nil` for an unknown id, and for a browser that
    /// is not the scan's.
    package func currentView(_ publicID: Digest256, _ viewer: Viewer) async throws -> PollView? {
        switch viewer {
        case .caller(let caller): try await currentView(publicID, caller)
        case .browser(let browser): currentView(publicID, in: browser)
        }
    }

    /// Returns the answer that a poll would get, without collecting.
    ///
    /// A collectable approval is shown as delivered.
    /// - Returns: `nil` for an unknown id.
    package func currentView(_ publicID: Digest256, _ caller: Caller) async throws -> PollView? {
        if let view = peek(publicID, caller) { return view }
        guard let operation = try await known(publicID) else { return nil }
        guard Visibility.accessLevel(of: caller, to: operation) == .rightful else {
            return outsideView(of: operation, at: clock.now)
        }
        switch operation.state {
        case .approved where !operation.isReturned(to: caller): return peek(publicID, caller)
        case .approved, .redeemed, .closed: return .delivered(seq: operation.seq)
        case .failed(let code, _): return .failed(code, seq: operation.seq)
        // This one has just entered the cache.
        case .created, .opened, .pending: return peek(publicID, caller)
        }
    }

    /// Returns the last view for a caller that disconnected while it waited, and leaves an approval to be collected
    /// later.
    package func viewOnDisconnect(_ publicID: Digest256, _ caller: Caller) async throws -> PollView? {
        if let card = cache.card(publicID), case .approved = card.operation.state,
            Visibility.accessLevel(of: caller, to: card.operation) == .rightful
        {
            return pending(.processing, of: card, at: clock.now)
        }
        return try await currentView(publicID, caller)
    }
}

extension PollView {
    /// Whether no further view follows this one.
    package var isFinal: Bool {
        switch self {
        case .pending: false
        case .failed, .completed, .attested, .delivered: true
        }
    }
}
