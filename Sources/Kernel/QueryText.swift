/// Parameters as the query of an address has them (RFC 3986 §3.4), and as a form's body has them (WHATWG URL §5.2).
package enum QueryText {
    package static func text(_ parameters: [(String, String)]) -> String {
        parameters.map { "\(PercentEncoding.component($0.0))=\(PercentEncoding.component($0.1))" }
            .joined(separator: "&")
    }

    /// The address with the parameters behind what it has of a query: of what stands there nothing is written anew.
    ///
    /// `address`: without a fragment.
    package static func add(_ parameters: [(String, String)], to address: String) -> String {
        let joint =
            switch (address.utf8.contains(UInt8(ascii: "?")), address.utf8.last) {
            case (false, _): "?"
            case (true, UInt8(ascii: "?")), (true, UInt8(ascii: "&")): ""
            case (true, _): "&"
            }
        return address + joint + text(parameters)
    }
}
