import FoundationEssentials
import HTTPAPI
import Kernel
import Outbound
import Settings

/// Requests to a running daemon, over its Unix socket.
struct DaemonCall: Sendable {
    private let address: AdminAddress
    private let http: OutboundHTTP

    static func use<Value: Sendable>(
        _ address: AdminAddress,
        clock: any MonotonicClock,
        _ body: (DaemonCall) async throws -> Value
    ) async throws -> Value {
        try await OutboundHTTP.use(clock: clock) { http in try await body(DaemonCall(address: address, http: http)) }
    }

    /// - Throws: ``Exit`` when there is no answer to use.
    func send(_ request: AdminRequest) async throws -> AdminReply {
        do {
            let response = try await http.send(
                OutboundRequest(
                    .post,
                    .unixSocket(file: address.socket, path: AdminRoute.path),
                    headers: [OutboundHeader("Content-Type", "application/json")],
                    body: Array(try JSONEncoder().encode(request)),
                    timeout: Self.timeout(of: request),
                    maxResponseBytes: 64 * 1024 * 1024
                )
            )
            return try JSONDecoder().decode(AdminReply.self, from: Data(response.body))
        } catch OutboundFailure.timeout {
            throw Exit.unavailable(
                "The daemon on \(address.socket) did not answer in time. What was asked may be done all the same: look "
                    + "before you ask again."
            )
        } catch OutboundFailure.connect {
            throw Exit.unavailable(
                "Another vestibule has the data folder \(address.dataFolder), and no daemon listens on "
                    + "\(address.socket): it is a command at work, or a daemon that starts or stops. What was asked "
                    + "was not done; try again in a moment. If the daemon runs, name its config with --config and "
                    + "its folder with --data."
            )
        } catch let failure as OutboundFailure {
            throw Exit.unavailable(
                "The daemon on \(address.socket) gave no answer to use: \(failure). What was asked may be done all the "
                    + "same: look before you ask again."
            )
        } catch is DecodingError {
            throw Exit.unavailable("The daemon on \(address.socket) answers in words that this program does not know.")
        }
    }

    private static func timeout(of request: AdminRequest) -> Duration {
        switch request {
        // A provider is asked, a few times where its token has run out, for up to a minute each.
        case .addAccount, .importAccounts, .enrollAccount: .seconds(300)
        // The whole audit is read, and a signature checked for each checkpoint.
        case .verifyAudit: .seconds(300)
        case .listAccounts, .showAccount, .disableAccount, .enableAccount, .changeAccount, .listOperations,
            .showOperation, .cancelOperation, .listProviders, .listSessions, .revokeSession, .revokeSessions, .listKeys,
            .rotateKeys, .retireKey, .listAudit, .checkpointAudit, .auditKey, .listMail, .flushMail, .testMail,
            .listDevices, .revokeDevice, .listPasskeys, .removePasskey, .addClient, .listClients, .showClient,
            .rotateClientSecret, .disableClient, .enableClient, .signOutClient, .openClientRegistration:
            .seconds(60)
        }
    }
}
