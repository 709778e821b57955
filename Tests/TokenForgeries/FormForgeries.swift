import Kernel

extension Workshop {
    /// Not the one form that a token has.
    func forms() throws -> [Forgery] {
        let parts = good.split(separator: ".").map(String.init)
        let (header, payload, signature) = (parts[0], parts[1], parts[2])
        let standard = { (text: String) in text.replacing("-", with: "+").replacing("_", with: "/") }
        let texts: [(String, String)] = [
            ("nothing", ""), ("dots", ".."), ("no signature", "\(header).\(payload)"),
            ("an empty signature", "\(header).\(payload)."), ("no header", ".\(payload).\(signature)"),
            ("no claims", "\(header)..\(signature)"), ("four parts", "\(good).\(signature)"),
            ("five parts, as an encrypted token", "\(header)..\(payload).\(signature).\(signature)"),
            ("a dot behind it", "\(good)."), ("a dot before it", ".\(good)"),
            ("the last letter cut", String(good.dropLast())),
            ("cut in half", String(good.prefix(good.count / 2))), ("the first letter cut", String(good.dropFirst())),
            ("a space before it", " \(good)"), ("a line break behind it", "\(good)\n"),
            ("a NUL behind it", "\(good)\u{0}"),
            ("a NUL inside", "\(header).\(payload)\u{0}.\(signature)"),
            ("a tab inside", "\(header).\t\(payload).\(signature)"),
            ("padding", "\(header).\(payload).\(signature)=="),
            ("padding of the header", "\(header)=.\(payload).\(signature)"),
            ("Bearer before it", "Bearer \(good)"), ("encoded dots", good.replacing(".", with: "%2E")),
            ("wide dots", good.replacing(".", with: "。")), ("quotes", "\"\(good)\""), ("it twice", "\(good),\(good)"),
            ("a signature that is not base64", "\(header).\(payload).\(signature.dropLast())!"),
            (
                "the flattened JSON form",
                #"{"protected":"\#(header)","payload":"\#(payload)","signature":"\#(signature)"}"#
            ),
            (
                "the general JSON form",
                #"{"payload":"\#(payload)","signatures":[{"protected":"\#(header)","signature":"\#(signature)"}]}"#
            ),
        ]
        var found = texts.map { Forgery(name: $0.0, token: $0.1) }
        if standard(good) != good { found.append(Forgery(name: "the other alphabet of base64", token: standard(good))) }
        found += strayBits(signature).map {
            Forgery(name: "stray bits behind the signature", token: "\(header).\(payload).\($0)")
        }
        found.append(Forgery(name: "padding of the claims, signed", token: try signed(encoded: header, payload + "==")))
        let large = self.payload(adding: "\"x\":\"\(String(repeating: "x", count: 20_000))\"")
        found.append(Forgery(name: "oversized, signed", token: try signed(self.header(), large)))
        return found
    }

    /// The same bytes in base64 that is not canonical (RFC 4648 §3.5).
    private func strayBits(_ text: String) -> [String] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        guard text.count % 4 != 0, let last = text.last, let digit = alphabet.firstIndex(of: last) else { return [] }
        return [text.dropLast() + String(alphabet[digit ^ 1])]
    }

    /// The signature is none of that message, or not in its form.
    func signatures() throws -> [Forgery] {
        let good = signature
        let zero = [UInt8](repeating: 0, count: good.count)
        let wrong: [(String, [UInt8])] = [
            ("zeros as a signature", zero), ("ones as a signature", zero.map { _ in 0xFF }),
            ("the signature without its last byte", Array(good.dropLast())), ("a byte too many", good + [0]),
            ("a zero before the signature", [0] + good), ("the signature twice", good + good),
            ("half the signature", Array(good.prefix(good.count / 2))),
            ("96 bytes, as of P-384", Array((good + zero).prefix(96))),
            ("132 bytes, as of P-521", Array((good + good + zero).prefix(132))),
            ("the halves exchanged", Array(good.suffix(good.count / 2) + good.prefix(good.count / 2))),
            ("the bytes turned round", Array(good.reversed())),
            ("the first bit flipped", [good[0] ^ 0x80] + Array(good.dropFirst())),
            ("the last bit flipped", Array(good.dropLast()) + [good[good.count - 1] ^ 1]),
            ("the signature of other claims", try sign(Array(Self.input(header(), payload(["sub": "\"x\""])).utf8))),
        ]
        var found = wrong.map { Forgery(name: $0.0, token: resigned($0.1)) }
        if algorithm == "ES256" { found += curveSignatures(good) }
        if algorithm == "EdDSA" {
            let order: [UInt8] = [
                0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14,
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
            ]
            var carry = 0
            let sum = zip(good.suffix(32), order).map { left, right in
                let value = Int(left) + Int(right) + carry
                carry = value >> 8
                return UInt8(value & 0xFF)
            }
            found.append(Forgery(name: "S plus the order (RFC 8032 §8.4)", token: resigned(good.prefix(32) + sum)))
        }
        return found
    }

    private func curveSignatures(_ good: [UInt8]) -> [Forgery] {
        let order: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
            0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
        ]
        let zero = [UInt8](repeating: 0, count: 32)
        let (r, s) = (Array(good.prefix(32)), Array(good.suffix(32)))
        let one = Array(zero.dropLast()) + [1]
        let wrong: [(String, [UInt8])] = [
            ("r zero", zero + s), ("s zero", r + zero), ("r the order", order + s), ("s the order", r + order),
            ("r and s the order", order + order), ("r and s one", one + one),
            ("DER in the place of r and s", Self.der(r, s)),
        ]
        return wrong.map { Forgery(name: $0.0, token: resigned($0.1)) }
    }

    /// SEQUENCE { INTEGER r, INTEGER s } (X.690).
    private static func der(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
        let integers = [r, s].flatMap { number -> [UInt8] in
            let digits = Array(number.drop { $0 == 0 })
            let body = (digits.first ?? 0) & 0x80 == 0 ? digits : [0] + digits
            return [0x02, UInt8(body.count)] + body
        }
        return [0x30, UInt8(integers.count)] + integers
    }
}
