import NIOCore

/// Stops passing bytes to the decoder once the last request of a connection has been read.
///
/// After an upgrade or CONNECT the decoder would keep all further bytes, for a protocol that this server does not
/// speak. Without a bound one connection could fill the memory until its idle timeout.
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
