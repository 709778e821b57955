extension SiteTemplates {
    /// Every setting that the options of a registration take; what is closed at first has the values that suit most.
    static let signUp = """
        <div id="start">
        <h1>{{title}}</h1>
        <p>{{say.signUpLead}}</p>
        <form id="sign-up" novalidate>
        <label for="username">{{say.username}}</label>
        <input id="username" name="username" type="text" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required autofocus aria-describedby="username-hint">
        <p id="username-hint" class="hint">{{say.signUpHint}}</p>
        <details>
        <summary>{{say.settings}}</summary>
        <div class="settings">
        \(select("attestationType", ["none", "direct"], chosen: "none"))
        \(userVerification)
        \(select("residentKey", ["discouraged", "preferred", "required"], chosen: "preferred"))
        \(select("authenticatorAttachment", ["any", "platform", "cross-platform"], chosen: "any"))
        \(select("preferredAuthenticatorType", ["none", "localDevice", "remoteDevice", "securityKey"], chosen: "none"))
        \(timeout)
        <fieldset><legend>{{say.algorithms}}</legend>
        \(algorithm(-7, "ES256", isChosen: true))
        \(algorithm(-257, "RS256", isChosen: true))
        \(algorithm(-8, "EdDSA", isChosen: true))
        \(algorithm(-35, "ES384"))
        \(algorithm(-36, "ES512"))
        \(algorithm(-258, "RS384"))
        \(algorithm(-259, "RS512"))
        \(algorithm(-37, "PS256"))
        \(algorithm(-38, "PS384"))
        \(algorithm(-39, "PS512"))
        \(algorithm(-49, "ML-DSA-65"))
        \(algorithm(-50, "ML-DSA-87"))
        </fieldset>
        <div><label for="customRpName">{{say.customRpName}} <small>{{say.optional}}</small></label>
        <input id="customRpName" name="customRpName" type="text" maxlength="64" autocomplete="off"></div>
        <div><label for="customRpID">{{say.customRpID}} <small>{{say.optional}}</small></label>
        <input id="customRpID" name="customRpID" type="text" inputmode="url" maxlength="253" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="{{rpID}}" aria-describedby="rp-hint">
        <p id="rp-hint" class="hint">{{say.customRpHint}}</p></div>
        </div>
        </details>
        <button type="submit">{{say.signUp}}</button>
        </form>
        </div>
        \(messages)
        <p id="else" class="else">{{say.havePasskey}} <a href="login.html">{{say.signIn}}</a></p>
        <section id="done" hidden>
        \(check)
        <h1 id="done-title">{{say.created}}</h1>
        <dl><div><dt>{{say.username}}</dt><dd id="done-name" dir="auto"></dd></div>
        <div><dt>{{say.kind}}</dt><dd id="done-kind"></dd></div>
        <div><dt>{{say.credentialID}}</dt><dd><code id="done-id" translate="no"></code></dd></div></dl>
        <div class="acts"><a class="button" href="passkeys">{{say.myPasskeys}}</a>
        <a class="button plain" href="login.html">{{say.signInNow}}</a></div>
        </section>
        """

    static let userVerification = select(
        "userVerification",
        ["discouraged", "preferred", "required"],
        chosen: "preferred"
    )

    static let timeout = """
        <div><label for="timeout">{{say.timeout}}</label>
        <input id="timeout" name="timeout" type="number" inputmode="numeric" min="1000" max="600000" step="1000" value="60000"></div>
        """

    /// A list of the values that the standard has: they are names, and not translated.
    private static func select(_ name: String, _ values: [String], chosen: String) -> String {
        let options = values.map { "<option\($0 == chosen ? " selected" : "")>\($0)</option>" }
        return """
            <div><label for="\(name)">{{say.\(name)}}</label>
            <select id="\(name)" name="\(name)" translate="no">\(options.joined())</select></div>
            """
    }

    /// By its number in the registry of COSE.
    private static func algorithm(_ number: Int, _ name: String, isChosen: Bool = false) -> String {
        """
        <label class="choice"><input type="checkbox" name="supportedAlgorithmIDs" value="\(number)"\(isChosen ? " checked" : "")> \(name) <small>(\(number))</small></label>
        """
    }
}
