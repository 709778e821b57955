import NIOCore
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// One connection: collects whole requests and does with each what the script says.
final class ScriptedConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let script: ScriptedServer.Script
    private let callLog: CallLog
    private var received: [UInt8] = []

    init(_ script: @escaping ScriptedServer.Script, _ callLog: CallLog) {
        self.script = script
        self.callLog = callLog
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += Array(unwrapInboundIn(data).readableBytesView)
        while let request = takeRequest() {
            callLog.requests.withLock { $0.append(request) }
            perform(script(request), on: context.channel)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func takeRequest() -> ScriptedRequest? {
        let text = String(decoding: received, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let headEnd = text.utf8.distance(from: text.startIndex, to: end.upperBound)
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count == 3 else { return nil }
        let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        let length = headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
        guard received.count >= headEnd + length else { return nil }
        let body = Array(received[headEnd..<(headEnd + length)])
        received.removeFirst(headEnd + length)
        return ScriptedRequest(method: String(words[0]), path: String(words[1]), headers: headers, body: body)
    }

    private func perform(_ reply: ScriptedReply, on channel: any Channel) {
        switch reply {
        case .answer(let status, let headers, let body):
            let fields = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
            send("HTTP/1.1 \(status) X\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)", on: channel)
        case .raw(let text, let thenClose):
            let sent = send(text, on: channel)
            if thenClose { sent.whenComplete { _ in channel.close(promise: nil) } }
        case .hang: break
        case .reset: reset(channel)
        case .drip(let size, let pause):
            send("HTTP/1.1 200 X\r\nContent-Length: \(size)\r\n\r\n", on: channel)
            Self.drip(on: channel, every: .nanoseconds(pause.components.attoseconds / 1_000_000_000))
        case .flood:
            send("HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n", on: channel)
            Self.flood(channel)
        case .late(let pause, let reply):
            let time =
                TimeAmount.seconds(pause.components.seconds)
                + .nanoseconds(pause.components.attoseconds / 1_000_000_000)
            let connection = NIOLoopBound(self, eventLoop: channel.eventLoop)
            channel.eventLoop.scheduleTask(in: time) { connection.value.perform(reply, on: channel) }
        case .held(let condition, let reply):
            perform(condition() ? reply : .late(.milliseconds(2), .held(until: condition, reply)), on: channel)
        }
    }

    @discardableResult
    private func send(_ text: String, on channel: any Channel) -> EventLoopFuture<Void> {
        channel.writeAndFlush(ByteBuffer(string: text))
    }

    /// A close with a zero linger time sends RST (socket(7)).
    private func reset(_ channel: any Channel) {
        guard let options = channel as? any SocketOptionProvider else { return channel.close(promise: nil) }
        options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in channel.close(promise: nil) }
    }

    private static func drip(on channel: any Channel, every pause: TimeAmount) {
        guard channel.isActive else { return }
        channel.writeAndFlush(ByteBuffer(string: "x"), promise: nil)
        channel.eventLoop.scheduleTask(in: pause) { drip(on: channel, every: pause) }
    }

    private static func flood(_ channel: any Channel) {
        let chunk = "10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n"
        channel.writeAndFlush(ByteBuffer(string: chunk)).whenSuccess {
            // In a turn of its own: a socket that takes everything at once must not keep the loop from the others.
            channel.eventLoop.execute { flood(channel) }
        }
    }
}
