import HTTPTypes
package import NIOCore
package import NIOHTTP1
import Wire

/// Adds ``RequestRules`` directly behind the decoder, and the handlers of bytes before it: the framework itself adds
/// handlers only behind its codec.
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
            // Nothing is served without these handlers.
            context.close(promise: nil)
        }
    }
}

/// The rules of RFC 9112 for a server that the framework leaves out.
///
/// It comes before the framework's codec, which drops the version. A faulty request is refused as the decoder refuses
/// an unreadable one: in its turn, behind the earlier answers, and the rest is not read. Both refusals have this
/// server's own body.
package final class RequestRules: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPServerRequestPart
    package typealias InboundOut = HTTPServerRequestPart
    package typealias OutboundIn = HTTPServerResponsePart
    package typealias OutboundOut = HTTPServerResponsePart

    private enum Reading {
        case open
        /// The last request that is taken on this connection is being read.
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
    /// Whether the answer being written says that the connection ends.
    private var isClosing = false
    /// The number of requests that were passed on and not answered to the end.
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
        // Behind other answers the client would take it for one of them; a client that waits for a 100 does not wait
        // for ever.
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
            // The framework knows only this spelling.
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
            // The count drops once too often after a refusal, which is the last answer.
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
    /// RFC 9112 §9.6: a server that closes says so, and one that says so closes. Of several answers the last one does.
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
    /// The framework closes by itself only where the request asks for it. Bytes that the client still sends are read
    /// and dropped: closing the input at once might cost it the answer (RFC 9112 §9.6).
    private func finish(with end: NIOAny, promise: EventLoopPromise<Void>?, in context: ChannelHandlerContext) {
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in
            // The close starts at the end of the pipeline: ``BodyDeadline`` may close all of it.
            context.channel.close(mode: .output, promise: nil)
        }
        context.write(end, promise: written)
    }

    /// Returns whether the head is the framework's answer to an unreadable request.
    private static func isFrameworks(_ head: HTTPResponseHead) -> Bool {
        head.status == .badRequest && head.headers["Content-Length"] == ["0"]
    }

    /// The answer instead of the framework's; without a request an id would name nothing.
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
