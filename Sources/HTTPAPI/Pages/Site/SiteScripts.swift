import Tokens

/// The site's scripts: modules (ECMAScript 2022) without a framework, each served as a file of its own.
///
/// Embedded like the markup: a resource bundle would have to lie beside the binary.
enum SiteScripts {
    /// By the names that they import each other by; the words are a module that each language has of its own.
    static let files: [String: String] = [
        "base64url.js": base64url,
        "webauthn.js": webauthn,
        "http.js": http,
        "faults.js": faults,
        "page.js": page,
        "session.js": session,
        "registration.js": registration,
        "facelogin.js": faceLogin,
        "mailcode.js": mailCode,
        "qr.js": qr,
        "home.js": home,
        "signup.js": signUp,
        "login.js": signIn,
        "passkeys.js": passkeys,
        "face.js": face,
        "confirm.js": confirm,
        "autofill.js": autofill,
        "progress.js": progress,
        "authorize.js": authorize,
        "authorize-wait.js": authorizeWait,
    ]

    /// The module of the words: `say("name", { n: 3 })` has 3 in the place of `{n}`.
    static func texts(_ words: [ScriptWord: String]) -> String {
        var json = JSONWriter(capacity: 8192)
        json.object { object in
            for word in ScriptWord.allCases { object.member(word.rawValue, string: words[word] ?? "") }
        }
        return """
            const words = \(String(decoding: json.bytes, as: UTF8.self));

            export const say = (name, values = {}) =>
              words[name].replace(/\\{(\\w+)\\}/g, (whole, value) => values[value] ?? whole);

            """
    }
}
