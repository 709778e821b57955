internal import Kernel
internal import TokenReading

/// Converts between an entry of ring.json and the key that it describes.
extension RingRecord.Entry {
    init(_ key: RingKey) {
        self.init(kid: key.id.text, alg: key.algorithm, state: key.stateName, createdAt: key.createdAt.milliseconds)
        switch key.state {
        case .next: break
        case .active(_, let since, let longest):
            activeAt = since.milliseconds
            longestToken = longest.wholeMilliseconds
        case .retiring(_, let since, let until):
            retiredAt = since.milliseconds
            verifyUntil = until.milliseconds
        case .retired(let at): retiredAt = at.milliseconds
        }
    }

    /// The state and dates that an entry states, before its key file is read.
    enum Claim {
        case next
        case active(since: Instant, longestToken: Duration)
        case retiring(since: Instant, until: Instant)
        case retired(at: Instant)
    }

    /// The state and dates of the entry; `nil` if the dates do not belong to the state.
    var claim: Claim? {
        switch (state ?? (retiredAt == nil ? .active : .retiring), activeAt, longestToken, retiredAt, verifyUntil) {
        case (.next, nil, nil, nil, nil): .next
        case (.active, let since?, let longest?, nil, nil):
            .active(since: Instant(milliseconds: since), longestToken: .milliseconds(longest))
        // Version 1 did not state the longest token lifetime. The caller takes it from the config.
        case (.active, nil, nil, nil, nil) where state == nil:
            .active(since: Instant(milliseconds: createdAt), longestToken: .zero)
        case (.retiring, nil, nil, let since?, let until?):
            .retiring(since: Instant(milliseconds: since), until: Instant(milliseconds: until))
        case (.retired, nil, nil, let at?, nil): .retired(at: Instant(milliseconds: at))
        case (.next, _, _, _, _), (.active, _, _, _, _), (.retiring, _, _, _, _), (.retired, _, _, _, _): nil
        }
    }
}
