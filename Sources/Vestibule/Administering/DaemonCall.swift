import Admin
import FoundationEssentials
import HTTPAPI
import Kernel
import Outbound
import Settings

/// Sends commands to a running daemon, over its Unix socket.
struct DaemonCall: CommandExecutor {
    private let address: AdminAddress
    private let http: OutboundHTTP

    static func use<Value: Sendable>(
        _ address: AdminAddress,
        clock: any MonotonicClock,
        _ body: (DaemonCall) async throws -> Value
    ) async throws -> Value {
        try await OutboundHTTP.use(clock: clock) { http in try await body(DaemonCall(address: address, http: http)) }
    }

    /// - Throws: `AdminError` when the daemon refuses, ``ExitError`` without a usable answer.
    func execute<Command: AdminCommand>(_ command: Command) async throws -> Command.Reply {
        try await answer(to: command).result.get()
    }

    private func answer<Command: AdminCommand>(to command: Command) async throws -> AdminAnswer<Command> {
        do {
            let response = try await http.send(
                OutboundRequest(
                    .post,
                    .unixSocket(file: address.socket, path: AdminRoute.path),
                    headers: [OutboundHeader("Content-Type", "application/json")],
                    body: Array(try JSONEncoder().encode(command.message)),
                    timeout: Command.timeout,
                    maxResponseBytes: 64 * 1024 * 1024
                )
            )
            return try JSONDecoder().decode(AdminAnswer<Command>.self, from: Data(response.body))
        } catch OutboundError.timeout {
            throw ExitError.unavailable(
                "The daemon on \(address.socket) did not answer in time. The command may have been carried out: check "
                    + "before you run it again."
            )
        } catch OutboundError.connect {
            throw ExitError.unavailable(
                "Another vestibule has the data folder \(address.dataFolder), but no daemon listens on "
                    + "\(address.socket), so nothing was done. Try again later, or name the running daemon's "
                    + "config with --config and its folder with --data."
            )
        } catch let failure as OutboundError {
            throw ExitError.unavailable(
                "The daemon on \(address.socket) gave an unusable answer: \(failure). The command may have been "
                    + "carried out: check before you run it again."
            )
        } catch is DecodingError {
            throw ExitError.unavailable(
                "The daemon on \(address.socket) gave an unknown answer. Use the same version of the daemon and of this program."
            )
        }
    }
}
