import CPq
import Glibc
import Kernel

/// One connection of libpq in pipeline mode, without libpq's blocking calls.
///
/// Commands are only queued until ``exchange(within:)`` sends them in one flush. Every wait is a poll(2) with a deadline,
/// because a backend that was stopped sends nothing: no timeout of the server ends the wait for it.
final class PostgresLink {
    private(set) var handle: OpaquePointer?
    private let clock: any MonotonicClock
    private let deadline: Duration

    /// Connects to the first host that can be used, and turns the pipeline on.
    ///
    /// Only the resolution of a host's name may take longer than the deadline, for it blocks in libpq.
    init(_ options: PostgresOptions, clock: any MonotonicClock) throws(PostgresError) {
        self.clock = clock
        deadline = options.deadline
        // libpq waits at a host that sends nothing, and never tries the next one.
        let hosts = try PostgresConnectionString.all(options)
        let end = clock.now + deadline
        var causes: [String] = []
        for (index, host) in hosts.enumerated() {
            let share = (end - clock.now) / (hosts.count - index)
            do throws(PostgresError) {
                handle = try host.start()
                try connect(by: clock.now + share)
                return
            } catch {
                close()
                guard hosts.count > 1 else { throw error }
                causes.append(StoreError(error).cause)
            }
        }
        throw .lost(cause: causes.joined(separator: "; "))
    }

    deinit { close() }

    var isOpen: Bool { handle.map { PQstatus($0) == CONNECTION_OK } ?? false }

    /// Whether the server has an open transaction, also a failed one, as of its last answer.
    var isInTransaction: Bool {
        guard let handle else { return false }
        switch PQtransactionStatus(handle) {
        case PQTRANS_INTRANS, PQTRANS_INERROR: return true
        default: return false
        }
    }

    /// The version of the server: 150018 for 15.18, and 0 after the end of the connection.
    var serverVersion: Int32 { handle.map { PQserverVersion($0) } ?? 0 }

    func close() {
        if let handle { PQfinish(handle) }
        handle = nil
    }

    /// Queues the preparation of a statement, whose parameters get the types that the server infers.
    func prepare(_ text: String, as name: String) throws(PostgresError) {
        try queued { PQsendPrepare($0, name, text, 0, nil) }
    }

    /// Queues a prepared statement, with a result in the binary format.
    func execute(_ name: String, _ parameters: PostgresParameters) throws(PostgresError) {
        try queued { handle in
            parameters.withPointers { values, lengths, formats in
                PQsendQueryPrepared(handle, name, Int32(parameters.count), values, lengths, formats, 1)
            }
        }
    }

    /// Sends the queued commands, and returns the result of each one.
    ///
    /// The results after a failed command have the status `PGRES_PIPELINE_ABORTED`.
    ///
    /// `limit`: the longest wait for all of them; `nil` for the deadline of a statement, which each has.
    func exchange(within limit: Duration? = nil) throws(PostgresError) -> [PostgresResult] {
        try queued { PQpipelineSync($0) }
        var end = clock.now + (limit ?? deadline)
        try flush(by: end)
        var results: [PostgresResult] = []
        while true {
            let result = try next(by: end)
            if result.status == PGRES_PIPELINE_SYNC { return results }
            // The server said that it ends the connection: nothing more comes.
            if let error = result.error, error.isLoss { throw closed(error) }
            results.append(result)
            if limit == nil { end = clock.now + deadline }
        }
    }

    /// Runs a text of several statements without values, outside the pipeline, and returns the error of the first
    /// statement that failed.
    ///
    /// `limit`: the longest wait for all of them.
    func script(_ text: String, within limit: Duration) throws(PostgresError) -> PostgresError? {
        try queued { PQexitPipelineMode($0) }
        try queued { PQsendQuery($0, text) }
        let end = clock.now + limit
        try flush(by: end)
        var failure: PostgresError?
        while let result = try answer(by: end) { failure = failure ?? result.error }
        try queued { PQenterPipelineMode($0) }
        return failure
    }

    /// Returns the payloads of the notifications that have arrived, after waiting for the first.
    ///
    /// `wake`: Ends the wait early.
    ///
    /// `limit`: The longest wait.
    func notifications(until wake: WakeUp, within limit: Duration) throws(PostgresError) -> [String] {
        // Some may have come with an answer.
        let early = takeNotifications()
        guard let handle else { throw lost() }
        if wake.wait(for: PQsocket(handle), within: early.isEmpty ? limit : .zero), PQconsumeInput(handle) == 0 {
            throw lost()
        }
        return early + takeNotifications()
    }

    private func takeNotifications() -> [String] {
        var payloads: [String] = []
        while let handle, let notification = PQnotifies(handle) {
            payloads.append(String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
        return payloads
    }

    private func connect(by end: Uptime) throws(PostgresError) {
        var state = PGRES_POLLING_WRITING
        while let handle, state != PGRES_POLLING_OK {
            switch state {
            case PGRES_POLLING_READING: _ = try wait(for: POLLIN, by: end)
            case PGRES_POLLING_WRITING: _ = try wait(for: POLLOUT, by: end)
            default: throw unconnected()
            }
            state = PQconnectPoll(handle)
        }
        try queued { PQsetnonblocking($0, 1) == 0 ? 1 : 0 }
        try queued { PQenterPipelineMode($0) }
    }

    /// Runs a call of libpq that returns 1 for success.
    private func queued(_ call: (OpaquePointer) -> Int32) throws(PostgresError) {
        guard let handle, call(handle) == 1 else { throw lost() }
    }

    private func flush(by end: Uptime) throws(PostgresError) {
        while let handle {
            switch PQflush(handle) {
            case 0: return
            case 1:
                // The server may stop to read until its own output was read.
                let events = try wait(for: POLLIN | POLLOUT, by: end)
                if events & Int16(POLLIN) != 0, PQconsumeInput(handle) == 0 { throw lost() }
            default: throw lost()
            }
        }
    }

    /// Returns the next result of the pipeline, in which a NULL separates the commands.
    private func next(by end: Uptime) throws(PostgresError) -> PostgresResult {
        while true {
            if let result = try answer(by: end) { return result }
            guard isOpen else { throw lost() }
        }
    }

    /// Returns the next result, or `nil` after the last one of a command.
    private func answer(by end: Uptime) throws(PostgresError) -> PostgresResult? {
        while let handle, PQisBusy(handle) == 1 {
            _ = try wait(for: POLLIN, by: end)
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
        guard let handle else { throw lost() }
        return PQgetResult(handle).map { PostgresResult(owning: $0) }
    }

    /// Waits until the socket is ready.
    ///
    /// Closes the connection at the deadline.
    private func wait(for events: Int32, by end: Uptime) throws(PostgresError) -> Int16 {
        while let handle {
            let left = max(0, (end - clock.now).wholeMilliseconds)
            var socket = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
            let count = poll(&socket, 1, Int32(clamping: left + 1))
            if count > 0 { return socket.revents }
            if count < 0, errno != EINTR { throw lost() }
            guard left > 0 else {
                close()
                throw .silent(for: deadline)
            }
        }
        throw lost()
    }

    /// Closes what did not become a connection, and returns what the server or libpq said.
    private func unconnected() -> PostgresError {
        defer { close() }
        return .lost(cause: PostgresMessage.lines(handle.flatMap { UnsafePointer(PQerrorMessage($0)) }))
    }

    /// Closes the connection, and returns the reason for its end: the server's last words, or libpq's.
    private func lost() -> PostgresError {
        guard let handle else { return .lost(cause: "it is closed") }
        defer { close() }
        // After a failed read these calls return at once.
        if PQstatus(handle) == CONNECTION_BAD {
            while let result = PQgetResult(handle).map({ PostgresResult(owning: $0) }) {
                if case .lost(let cause)? = result.error { return .lost(cause: cause) }
            }
        }
        return .lost(cause: PostgresMessage.line(PQerrorMessage(handle)))
    }

    private func closed(_ error: PostgresError) -> PostgresError {
        close()
        return error
    }
}
