import HTTPTypes
import Hummingbird
import Kernel
import MockServing

/// `/_mock/recording`: a tester's presses as a scenario file.
struct RecordingRoutes: Sendable {
    let backend: MockBackend

    func add(to control: RouterGroup<MockContext>) {
        control.get("recording", use: show)
        control.get("recording/scenario.yaml", use: download)
        control.post("recording/start") { _, _ in change { state, now in state.startRecording(now: now) } }
        control.post("recording/stop") { _, _ in change { state, _ in state.stopRecording() } }
        control.post("recording/discard") { _, _ in change { state, _ in state.discardRecording() } }
    }

    private struct RecordingView: Encodable {
        let state: String
        let steps: Int
    }

    @Sendable private func show(_: Request, _: MockContext) async throws -> Response {
        let recording = backend.with { state, _ in state.recording }
        let view = RecordingView(state: recording?.state.rawValue ?? "idle", steps: recording?.steps.count ?? 0)
        return try JSONReply(view).response
    }

    @Sendable private func download(_: Request, _: MockContext) async throws -> Response {
        guard let recording = backend.with({ state, _ in state.recording }) else {
            throw ProviderError(status: 404, id: "E_NO_RECORDING", message: "Nothing is recorded.")
        }
        // RFC 9512 §2.1.
        var response = PageShell.asset(recording.yaml, type: "application/yaml; charset=utf-8")
        response.headers[.contentDisposition] = #"attachment; filename="scenario.yaml""#
        return response
    }

    /// Goes back to the page, as the page's other buttons do.
    private func change(_ body: (inout MockState, Instant) -> Void) -> Response {
        backend.with { state, now in body(&state, now) }
        return ConsoleRoutes.back
    }
}
