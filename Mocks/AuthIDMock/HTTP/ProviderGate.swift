import HTTPTypes
import Hummingbird
import Kernel
import MockServing
import NIOCore

/// The checks of every call of authID's API: the request log, the active faults and the bearer check, in this order.
struct ProviderGate: Sendable {
    typealias Handler = @Sendable (Request, MockContext) async throws -> Response
    typealias Answer = @Sendable (Request, MockContext, FaultEffect?) async throws -> JSONReply

    let backend: MockBackend

    /// Wraps `answer`, which gets the fault that it must work into its body, if any.
    func serve(_ call: ProviderCall, _ answer: @escaping Answer) -> Handler {
        { request, context in
            let scan = context.parameters.get("id").flatMap { UUIDBits($0) }
            let (number, strike) = backend.with { state, now in
                let number = state.requestLog.begin(call, at: now)
                let strike = state.strike(call, scan: scan, now: now)
                if let strike { state.requestLog.note(number, fault: strike.kind) }
                return (number, strike?.effect)
            }
            let response = await respond(strike, on: context) { effect in
                try authenticate(call, request)
                return try await answer(request, context, effect)
            }
            backend.with { state, _ in state.requestLog.finish(number, status: response.isLogged ? response.code : nil)
            }
            return response.response
        }
    }

    /// A response with what the request log says about it.
    private struct Served {
        let response: Response
        var isLogged = true
        var code: Int { response.status.code }
    }

    private func respond(
        _ effect: FaultEffect?,
        on context: MockContext,
        answer: (FaultEffect?) async throws -> JSONReply
    ) async -> Served {
        switch effect {
        case nil, .wrongTransaction, .lateAccept:
            return Served(response: await finished { try await answer(effect) }.response)
        case .answer(let error):
            return Served(response: JSONReply(error).response)
        case .slow(let delay):
            await context.channel.hold(for: delay)
            return Served(response: await finished { try await answer(nil) }.response)
        case .garbage:
            return Served(response: BrokenAnswer.garbage)
        case .truncate:
            return Served(
                response: BrokenAnswer.truncated(await finished { try await answer(nil) }, on: context.channel)
            )
        case .hang(let limit):
            await context.channel.hold(for: limit)
            return Served(response: await BrokenAnswer.dropped(context.channel), isLogged: false)
        case .reset:
            return Served(response: await BrokenAnswer.dropped(context.channel), isLogged: false)
        }
    }

    private func authenticate(_ call: ProviderCall, _ request: Request) throws(ProviderError) {
        guard call != .token, call != .refresh else { return }
        let token = request.headers[.authorization].flatMap(AuthorizationHeader.bearer)
        try backend.with { state, now throws(ProviderError) in try state.authenticate(token, now: now) }
    }

    private func finished(_ answer: () async throws -> JSONReply) async -> JSONReply {
        do {
            return try await answer()
        } catch let error as ProviderError {
            return JSONReply(error)
        } catch let error as any HTTPResponseError {
            return JSONReply(
                ProviderError(status: error.status.code, id: "E_INVALID_REQUEST", message: "Body too large.")
            )
        } catch {
            return JSONReply(.internalError)
        }
    }
}
