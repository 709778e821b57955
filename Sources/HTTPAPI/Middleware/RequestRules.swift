import HTTPTypes
package import NIOCore
package import NIOHTTP1
import Wire

/// Adds ``RequestRules`` directly behind the decoder, and the byte handlers before it.
///
/// The framework itself adds handlers only behind its codec.
package final class RequestRulesInstaller: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = NIOAny

    private let needsHost: Bool
    private let headerTime: TimeAmount
    private let readTime: TimeAmount

    package init(needsHost: Bool, headerTime: TimeAmount, readTime: TimeAmount) {
        self.needsHost = needsHost
        self.headerTime = headerTime
        self.readTime = readTime
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let gate = InputGate()
            let deadline = HeaderDeadline(headerTime)
            try pipeline.addHandler(SlowReader(readTime), position: .first)
            try pipeline.addHandler(deadline, position: .before(decoder))
            try pipeline.addHandler(gate, position: .before(decoder))
            try pipeline.addHandler(
                RequestRules(needsHost: needsHost, gate: gate, deadline: deadline),
                position: .after(decoder)
            )
        } catch {
            // Without these handlers the connection serves no request.
            context.close(promise: nil)
        }
    }
}

/// Enforces the rules of RFC 9112 for servers that the framework omits.
///
/// It comes before the framework's codec, which drops the HTTP version. A faulty request is refused like one that the
/// decoder cannot read: after the earlier answers, and without reading further. Both refusals have this server's own
/// error body.
package final class RequestRules: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPServerRequestPart
    package typealias InboundOut = HTTPServerRequestPart
    package typealias OutboundIn = HTTPServerResponsePart
    package typealias OutboundOut = HTTPServerResponsePart

    private enum Reading {
        case open
        /// The last request of this connection is being read.
        case last
        case over
    }

    private enum Refused {
        case nothing
        /// A HEAD, whose answer has no body.
        case head
        case request
    }

    private var reading = Reading.open {
        didSet { if reading == .over { gate.shut() } }
    }
    private var refused = Refused.nothing
    /// Whether a request has begun to arrive and has not ended.
    private var isBeingRead = false
    /// Whether the current answer tells the client that the connection closes.
    private var isClosing = false
    /// The number of requests that were passed on and whose answers are not complete.
    private var unanswered = 0
    private let needsHost: Bool
    private let gate: InputGate
    private let deadline: HeaderDeadline

    init(needsHost: Bool, gate: InputGate, deadline: HeaderDeadline) {
        self.needsHost = needsHost
        self.gate = gate
        self.deadline = deadline
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard reading != .over else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            isBeingRead = true
            deadline.headArrived()
            take(head, as: data, in: context)
        case .body: context.fireChannelRead(data)
        case .end:
            isBeingRead = false
            deadline.requestEnded()
            if reading == .last { reading = .over }
            context.fireChannelRead(data)
        }
    }

    private func take(_ head: HTTPRequestHead, as data: NIOAny, in context: ChannelHandlerContext) {
        let form = RequestForm(head, needsHost: needsHost)
        let authority = RequestForm.authority(inTarget: head.uri)
        guard !form.isFaulty, authority.map({ RequestForm.isAuthority($0) }) ?? true else {
            return refuse(head, context)
        }
        // After earlier answers the client would take the 100 for one of them. A client that waits for a 100 does not
        // wait for ever (RFC 9110 §10.1.1).
        if form.isExpectant, unanswered == 0 {
            let interim = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(interim)), promise: nil)
        }
        unanswered += 1
        guard form.isLast || authority != nil else { return context.fireChannelRead(data) }
        var plain = head
        if let authority { plain.headers.replaceOrAdd(name: "Host", value: String(authority)) }
        if form.isLast {
            reading = .last
            // The framework recognises only this spelling.
            plain.headers.replaceOrAdd(name: "Connection", value: "close")
        }
        context.fireChannelRead(wrapInboundOut(.head(plain)))
    }

    private func refuse(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        reading = .over
        refused = head.method == .HEAD ? .head : .request
        context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError, refused == .nothing { refused = .request }
        context.fireErrorCaught(error)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where refused != .nothing && Self.isFrameworks(head):
            context.write(wrapOutboundOut(.head(BadRequest.head)), promise: promise)
            // RFC 9110 §9.3.2: the answer to a HEAD has only the length of a body.
            if refused != .head { context.write(wrapOutboundOut(.body(.byteBuffer(BadRequest.body))), promise: nil) }
        case .head(let head) where refused == .nothing && head.status.code >= 200:
            context.write(wrapOutboundOut(.head(settle(head))), promise: promise)
        case .end:
            // A refusal, which is the connection's last answer, was never counted: the number is then one too low.
            unanswered -= 1
            deadline.requestAnswered()
            if isClosing {
                finish(with: data, promise: promise, in: context)
            } else {
                context.write(data, promise: promise)
            }
        case .head, .body: context.write(data, promise: promise)
        }
    }

    /// Sets the field Connection.
    ///
    /// RFC 9112 §9.6: a server that closes a connection says so, and one that says so closes it. Of several answers
    /// only the last says so.
    private func settle(_ head: HTTPResponseHead) -> HTTPResponseHead {
        var head = head
        if unanswered > 1 {
            head.headers.remove(name: "Connection")
        } else if reading != .open {
            head.headers.replaceOrAdd(name: "Connection", value: "close")
        } else if head.headers.first(name: "Connection") == "close" {
            isClosing = true
            reading = isBeingRead ? .last : .over
        }
        return head
    }

    /// Writes the end of the last answer, and then closes the output.
    ///
    /// The framework closes a connection only if its request asks for that. Bytes that the client still sends are read
    /// and dropped: closing the input at once might cost the client the answer (RFC 9112 §9.6).
    private func finish(with end: NIOAny, promise: EventLoopPromise<Void>?, in context: ChannelHandlerContext) {
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in
            // The event starts at the end of the pipeline, so that ``BodyDeadline`` can close both sides.
            context.channel.close(mode: .output, promise: nil)
        }
        context.write(end, promise: written)
    }

    /// Returns whether this head is the framework's own answer to an unreadable request.
    private static func isFrameworks(_ head: HTTPResponseHead) -> Bool {
        head.status == .badRequest && head.headers["Content-Length"] == ["0"]
    }

    /// The answer that replaces the framework's, without a request id, because no request was read.
    private enum BadRequest {
        static let error = APIError.invalidRequest(
            "This is not a request of HTTP/1.1: check its Host, its length and its fields (RFC 9112)."
        )
        static let body =
            JSONReply.json(ProblemBody(code: error.code, message: error.message, requestId: nil)) ?? ByteBuffer()
        static let head: HTTPResponseHead = {
            var headers = HTTPHeaders(SecurityHeaders.fields.map { ($0.name.rawName, $0.value) })
            headers.add(name: "Content-Type", value: JSONReply.contentType)
            headers.add(name: "Content-Length", value: String(body.readableBytes))
            headers.add(name: "Connection", value: "close")
            return HTTPResponseHead(version: .http1_1, status: .badRequest, headers: headers)
        }()
    }
}
