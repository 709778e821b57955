import FoundationEssentials
import HTTPTypes
package import Hummingbird
import NIOCore

/// The icon of the mocks, for browsers that look for one without being told, and for those that show no SVG.
package enum MockIcon {
    /// The product's mark, 32 pixels wide and high, as PNG.
    package static let png = [UInt8](
        Data(
            base64Encoded: """
                iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAAAclBMVEUfXv8fXv8fXv8fXv8fXv8fXv8fXv8fXv8fXv8fXv8fXv8f\
                Xv8fXv8fXv8fXv8fXv8fXv8fXv8fXv8fXv8fXv8fXv8taP80bf87cv9Cd/9JfP9Xhv9slv96oP+rwv+yx/+5zP/A0v/H1//x9f/4\
                +v////8Zd+h5AAAAJnRSTlMAEBESIEdJT1FwgYiouLng5ebo6e///////////////////////yXsiCcAAADMSURBVHjarZPZEoIw\
                DEWDIsomCIS9LC38/y9KcWMpwXG8LzednkmatAUA0KxriCuFV0uDUYaPG/INuX9CQgNxuFGAfwQTSZng0IADHg148AwYH8TWMb4A\
                LuaA4EuAz1Pz/wNM1k8R43i0x3oKSOV9jm072kdToOgLmVqaGojrWALS1IAsLRaHXQHvCSqBdGbrNrO+SRCTps8UbY6DKUVX150o\
                tyeZsKpiyY93sXfd2w8moJ9cAC4NuGDTgA16RO1HOsCFAs7ffN6d738HdqdVv5PPrBwAAAAASUVORK5CYII=
                """
        ) ?? Data()
    )

    package static func add(to router: Router<MockContext>) {
        router.get("/favicon.ico") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "image/png", .contentLength: String(png.count), .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: png))
            )
        }
    }
}
