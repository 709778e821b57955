/// The markup of the page of devices, in the form of the sign-in page; nothing in it needs a script.
enum DeviceTemplates {
    /// Before anybody is signed in: one button, which leads on with the code of the address.
    static let signIn = SignInTemplates.page(
        """
        <h1>{{title}}</h1>
        <p>{{device.signInLead}}</p>
        <form id="sign-in" method="post" action="device">
        <input type="hidden" name="user_code" value="{{code}}">\(language)
        <button type="submit">{{device.signInGoOn}}</button>
        </form>
        \(warning)
        """
    )

    static let ask = SignInTemplates.page(
        """
        <h1>{{title}}</h1>
        <p>{{device.askLead}}</p>
        <form id="ask" method="post" action="device">\(language)
        <label for="user-code">{{device.code}}</label>
        <input id="user-code" name="user_code" type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="32" required autofocus value="{{code}}" aria-describedby="code-hint"{{#isWrong}} aria-invalid="true" aria-errormessage="fault"{{/isWrong}}>
        <p id="code-hint" class="hint">{{device.codeHint}}</p>
        <button type="submit">{{own.goOn}}</button>
        </form>
        <p id="fault" class="fault" role="alert">{{fault}}</p>
        \(warning)
        """
    )

    /// Who asks for what, from where and since when; no comes with the same ease as yes.
    static let question = SignInTemplates.page(
        """
        <h1>{{title}}</h1>
        <p>{{device.compare}}</p>
        <div class="card"><p id="code" translate="no">{{code}}</p></div>
        <p>{{lead}}</p>
        <ul id="scopes" class="list">{{#scopes}}<li>{{text}}</li>{{/scopes}}</ul>
        <dl>{{#facts}}<div><dt>{{label}}</dt><dd dir="auto">{{value}}</dd></div>{{/facts}}</dl>
        {{#isStrange}}<p class="hint">{{strange}}</p>
        {{/isStrange}}<p class="fault">{{device.fraud}}</p>
        <form id="deny" method="post" action="device">\(fields)<button type="submit" name="decision" value="deny">{{own.refuse}}</button></form>
        <form id="allow" method="post" action="device">\(fields)<button type="submit" name="decision" value="allow" class="plain">{{own.allow}}</button></form>
        """
    )

    /// A page that says how it stands, and no more.
    static let notice = SignInTemplates.page(
        """
        <h1>{{title}}</h1>
        <p role="status">{{lead}}</p>
        """
    )

    private static let warning = """
        <p class="hint">{{device.warning}} {{device.fraud}}</p>
        """

    private static let fields = """
        <input type="hidden" name="user_code" value="{{code}}"><input type="hidden" name="as" value="{{mark}}">\(language)
        """

    /// What comes of a form is in the language of its page.
    private static let language = """
        <input type="hidden" name="ui_locales" value="{{language}}">
        """
}
