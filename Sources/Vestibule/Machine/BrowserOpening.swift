import Foundation

/// Opens the person's browser on a desktop.
enum BrowserOpening {
    /// Opens an address, if this process was started on a desktop and can read a terminal.
    ///
    /// Other users can read the command lines of this machine's processes. So the program that opens the browser is
    /// told a file that only this user can read, and the file leads to the address.
    static func open(_ address: String) {
        let variables = ForeignVariables.withRemoved
        guard isatty(STDOUT_FILENO) == 1, variables["DISPLAY"] != nil || variables["WAYLAND_DISPLAY"] != nil,
            let runtime = variables["XDG_RUNTIME_DIR"], runtime.hasPrefix("/"),
            let opener = ["/usr/bin/xdg-open", "/bin/xdg-open"].first(where: FileManager.default.isExecutableFile)
        else { return }
        let file = runtime + "/vestibule-console.html"
        guard write(page(address), to: file) else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: opener)
        process.arguments = [file]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // Without a browser the printed link is left.
        try? process.run()
    }

    /// The address has only letters, digits and the signs of a URL, so that it needs no escaping.
    private static func page(_ address: String) -> String {
        """
        <!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer">
        <title>Vestibule console</title><p><a href="\(address)">Open the console</a></p></html>
        """
    }

    private static func write(_ text: String, to path: String) -> Bool {
        unlink(path)
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } == bytes.count
    }
}
