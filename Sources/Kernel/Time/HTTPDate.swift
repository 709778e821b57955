/// The date of an HTTP answer, in the form that servers have to write (RFC 9110 §5.6.7, IMF-fixdate).
package enum HTTPDate {
    /// Returns the time of `Sun, 06 Nov 1994 08:49:37 GMT`; `nil` for another form.
    package static func parse(_ text: String) -> Instant? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].count == 4, parts[0].last == ",", parts[1].count == 2, parts[5] == "GMT",
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return InternetTimestamp.parse("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
