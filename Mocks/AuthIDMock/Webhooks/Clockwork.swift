import Logging
import MockServing
import ServiceLifecycle

/// The work that the mock does by itself: webhooks that are due, and the timeline that is played.
///
/// The only loop that it has; everything else is a function of the time asked about.
struct Clockwork: Service {
    /// How late an event may be told.
    static let beat: Duration = .milliseconds(20)

    private let backend: MockBackend
    private let sender: WebhookSender
    private let onNote: @Sendable (TimelineNote) -> Void

    /// `onNote`: hears of each step of the timeline.
    init(backend: MockBackend, logger: Logger, onNote: @escaping @Sendable (TimelineNote) -> Void = { _ in }) {
        self.backend = backend
        sender = WebhookSender(backend: backend, logger: logger)
        self.onNote = onNote
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    for note in backend.playDueSteps() { onNote(note) }
                    for delivery in backend.takeDueWebhooks() {
                        group.addTask { _ = await sender.send(delivery, retries: true) }
                    }
                    do { try await Task.sleep(for: Self.beat) } catch { break }
                }
                group.cancelAll()
            }
        }
    }
}
