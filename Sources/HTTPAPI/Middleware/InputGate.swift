import NIOCore

/// Lets nothing more through to the decoder once the last request of a connection is read.
///
/// Behind an upgrade and behind CONNECT the decoder keeps all further bytes, for a protocol that this server does not
/// speak. It has no bound for them: one connection could fill the memory until its idle timeout.
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
