import Operations
import Testing

// T-029
@Suite struct MaskedEmailTests {
    @Test(arguments: [
        ("robin@example.com", "r•••@example.com"), ("r@example.com", "r•••@example.com"),
        ("ÅSA@example.com", "Å•••@example.com"), ("@example.com", "•••@example.com"), ("robin", "•••"),
        ("a@b@c", "a•••@c"), ("r\u{202E}obin@exam\u{202E}ple.com", "r•••@example.com"),
        ("a b@exa mple.com", "a•••@example.com"),
    ])
    func `an address is shown by its first character and its domain`(_ typed: String, _ shown: String) {
        #expect(MaskedEmail.mask(typed) == shown)
    }

    // T-029
    @Test func `nothing that turns text around or hides gets through, and nothing is longer than a line`() {
        let odd = "\u{200B}\u{2066}\u{FEFF}\u{0301}\u{7F}\u{E000}"
        #expect(MaskedEmail.mask("\(odd)@\(odd)x") == "•••@x")
        #expect(MaskedEmail.mask("a@" + String(repeating: "b", count: 300)).count == 1 + 3 + 1 + 64)
    }
}
