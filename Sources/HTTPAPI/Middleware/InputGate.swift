import NIOCore

/// Lets nothing more through to the decoder once the last request of a connection is read.
///
/// Behind an upgrade and behind CONNECT the decoder keeps all that comes, for a protocol that nobody speaks here, and has
/// no bound for it: one connection could fill the memory until its time of silence is over.
final class InputGate: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var isShut = false

    func shut() { isShut = true }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isShut else { return }
        context.fireChannelRead(data)
    }
}
