extension SiteTemplates {
    static let home = """
        <div class="hero">
        <h1>{{title}}</h1>
        <p>{{say.homeLead}}</p>
        </div>
        <div id="signed-in" class="card" hidden>
        <p id="person"></p>
        <div class="acts"><a class="button" href="passkeys">{{say.myPasskeys}}</a>
        <button id="sign-out" type="button" class="plain">{{say.signOut}}</button></div>
        </div>
        \(messages)
        <ul class="ways">
        {{#ways}}<li><a href="{{path}}"><strong>{{name}}</strong><span>{{hint}}</span></a></li>
        {{/ways}}</ul>
        {{#listsUsers}}<section aria-labelledby="users-title">
        <h2 id="users-title">{{say.usersTitle}}</h2>
        <p class="hint">{{say.usersHint}}</p>
        <ul id="users" class="list"></ul>
        </section>{{/listsUsers}}
        """

    static let signIn = """
        <div id="start">
        <h1>{{title}}</h1>
        <p>{{say.signInLead}}</p>
        <form id="sign-in" novalidate>
        <label for="username">{{say.username}} <small>{{say.optional}}</small></label>
        <input id="username" name="username" type="text" autocomplete="username webauthn" autocapitalize="none" spellcheck="false" maxlength="254" autofocus aria-describedby="username-hint">
        <p id="username-hint" class="hint">{{say.signInHint}}</p>
        <details>
        <summary>{{say.settings}}</summary>
        <div class="settings">
        \(userVerification)
        \(timeout)
        </div>
        </details>
        <button type="submit">{{say.signInButton}}</button>
        </form>
        <button id="by-mail" type="button" class="plain">{{say.byMail}}</button>
        </div>
        \(mailCode)
        \(messages)
        <p id="else" class="else">{{say.noPasskeyYet}} <a href="signup.html">{{say.signUp}}</a>{{#offersFace}}
        <a href="face">{{say.faceTitle}}</a>{{/offersFace}}</p>
        <section id="done" hidden>
        \(check)
        <h1 id="done-title">{{say.signedIn}}</h1>
        <p id="done-name" class="name" dir="auto"></p>
        <div class="acts"><a class="button" href="passkeys">{{say.myPasskeys}}</a>
        <button id="sign-out" type="button" class="plain">{{say.signOut}}</button></div>
        </section>
        """

    static let passkeys = """
        <div id="owner" hidden>
        <div class="head"><h1>{{title}}</h1><p id="person" dir="auto"></p></div>
        \(messages)
        <ul id="list" class="list" data-rp-id="{{rpID}}"></ul>
        <div class="acts"><button id="add" type="button">{{say.addPasskey}}</button>
        <button id="sign-out" type="button" class="plain">{{say.signOut}}</button></div>
        <p class="hint">{{say.addHint}}</p>
        </div>
        <section id="stranger" hidden>
        <h1>{{say.strangerTitle}}</h1>
        <p>{{say.strangerLead}}</p>
        <div class="acts"><a class="button" href="login.html">{{say.signIn}}</a>
        <a class="button plain" href="signup.html">{{say.signUp}}</a></div>
        </section>
        <dialog id="removal" aria-labelledby="removal-title" aria-describedby="removal-lead">
        <form method="dialog">
        <h2 id="removal-title">{{say.removalTitle}}</h2>
        <p id="removal-name" class="name" dir="auto"></p>
        <p id="removal-lead">{{say.removalLead}}</p>
        <div class="acts"><button value="remove" class="quiet">{{say.remove}}</button>
        <button value="keep" class="plain" autofocus>{{say.keep}}</button></div>
        </form>
        </dialog>
        """

    /// A tick, of what has been done.
    static let check = """
        <svg class="good" aria-hidden="true" viewBox="0 0 48 48" width="48" height="48"><path d="M24 4a20 20 0 1 0 0 40a20 20 0 1 0 0-40M15 25l6 6 12-13" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>
        """
}
