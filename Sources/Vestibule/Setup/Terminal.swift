import Glibc
import Kernel

/// The terminal of a person.
///
/// Questions go to standard error, because standard output is for the result.
struct Terminal {
    /// Returns a line, or `nil` at the end of the input.
    let line: (_ prompt: String) -> String?
    /// Returns a line that is typed without echo, or `nil` if there is none.
    let secret: (_ prompt: String) -> String?

    /// Whether standard input is a terminal.
    static var isThere: Bool { isatty(STDIN_FILENO) == 1 }

    static var own: Terminal {
        Terminal(
            line: { prompt in
                StandardError.prompt(prompt)
                return readLine()
            },
            secret: { prompt in
                StandardError.prompt(prompt)
                defer { StandardError.print("") }
                return readHidden()
            }
        )
    }

    /// Reads byte by byte, with echo and signals off: an interrupt would otherwise leave the terminal without echo.
    private static func readHidden() -> String? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
        var hidden = before
        hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0 else { return nil }
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(STDIN_FILENO, &byte, 1) == 1 {
            switch byte {
            case 0x0A, 0x0D: return String(validating: bytes, as: UTF8.self)
            // Ctrl-C and Ctrl-D.
            case 0x03, 0x04: return nil
            // Backspace deletes a whole character, which may have several bytes.
            case 0x08, 0x7F:
                while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
            default: bytes.append(byte)
            }
        }
        return nil
    }
}
