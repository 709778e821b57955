// Not compiled here: SwiftUI is on Apple's platforms alone. Written against VestibuleClient as it is in this repository.

import SwiftUI
import VestibuleClient

/// Signs a person in by a face scan, says what happens, and greets them.
///
/// Create `login` once, with `FaceLogin(server:store:options:)` and a `KeychainTokenStore`.
struct SignInView: View {
    let login: FaceLogin
    @State private var email = ""
    @State private var status = ""
    @State private var attempt: Task<Void, Never>?
    @Environment(\.openURL) private var openURL

    var body: some View {
        Form {
            TextField("E-mail address", text: $email)
            if attempt == nil {
                Button("Sign in with your face") { attempt = Task { await signIn() } }.disabled(email.isEmpty)
            } else {
                Button("Cancel", role: .cancel) { attempt?.cancel() }
            }
            Text(status)
        }
        .onOpenURL { url in Task { await login.handleReturn(url) } }
    }

    @MainActor private func signIn() async {
        defer { attempt = nil }
        let openURL = openURL
        let open: FaceLogin.OpenPage = { page in
            await withCheckedContinuation { opened in
                Task { @MainActor in openURL(page) { opened.resume(returning: $0) } }
            }
        }
        do {
            for try await progress in login.signIn(email: email, open: open) {
                switch progress {
                case .started: status = "Show your face on the page that opens."
                case .waiting(.processing): status = "Your face is being checked."
                case .waiting: break
                case .degraded: status = "This takes longer than usual. Please wait."
                case .completed(let signedIn): status = "Welcome, \(signedIn.user?.name ?? email)."
                }
            }
        } catch {
            status = error.localizedDescription
        }
    }
}
