import Operations

/// Tells who takes over while no scan begins at a provider, so that an operator is told before ``PauseProvider``.
struct PreviewPause: CommandPreview {
    static let name = "previewPause"
    static let replyName = "pauseOutlook"
    static let effect = CommandEffect.reads
    static var needsDaemon: Bool { true }

    var provider: String

    func handle(_ services: AdminServices) async throws -> PauseOutlookView {
        guard let takeover = services.faceLogin.operations.takeover(from: ProviderName(provider)) else {
            throw AdminError.unknownProvider(provider)
        }
        return PauseOutlookView(
            provider: provider,
            isStandby: takeover.isStandby,
            takesOver: takeover.providers.map(\.text)
        )
    }
}

/// Who takes over while no scan begins at a provider.
struct PauseOutlookView: CommandOutlook, Codable, Sendable, Equatable {
    let provider: String
    /// Whether logins go there only while the login provider can't be called.
    let isStandby: Bool
    /// The providers that take over and are not paused, the first choice first.
    let takesOver: [String]

    var sentence: String {
        if let first = takesOver.first {
            let more = takesOver.dropFirst().map { ", then \($0)" }.joined()
            return "Logins that go to \(provider) fail over to \(first)\(more), for people who are enrolled there."
        }
        return isStandby
            ? "Nobody takes over from this standby: face logins are refused while the other providers can't be called."
            : "Nobody takes over: those logins will be refused."
    }

    var button: String? {
        takesOver.first.map { "Pause, and fail over to \($0)" } ?? "Pause: nobody takes over"
    }
}
