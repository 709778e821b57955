extension SiteTemplates {
    /// The way in for whoever has no passkey here, or none any more: an address, then the code that was sent to it.
    static let mailCode = """
        <div id="mail" hidden>
        <h1>{{say.mailTitle}}</h1>
        <p>{{say.mailLead}}</p>
        <form id="ask" novalidate>
        <label for="email">{{say.email}}</label>
        <input id="email" name="email" type="email" inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254" required>
        <button type="submit">{{say.sendCode}}</button>
        </form>
        <form id="type" novalidate hidden>
        <label for="code">{{say.code}}</label>
        <input id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="9" required>
        <button type="submit">{{say.signIn}}</button>
        </form>
        <p class="else"><a href="login.html">{{say.withPasskey}}</a></p>
        </div>
        """
}
