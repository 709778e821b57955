/// The markup of the pages of an authorization request, in the form of the site's pages.
///
/// Everything works without a script; what only a script can do is hidden until one shows it.
enum SignInTemplates {
    /// A whole page around its content; addresses are relative, wherever a proxy has mounted it.
    static func page(_ content: String, script: Bool = false, head: String = "") -> String {
        """
        \(SiteTemplates.top(script: script, head: head))
        <header><span class="brand">\(SiteTemplates.mark)<span>{{site}}</span></span></header>
        <main id="main"{{#hasCode}} data-code="{{code}}"{{/hasCode}}>
        \(content)
        </main>
        </body>
        </html>
        """
    }

    /// Which way: passkeys first, in the field's autofill and by a button; then the face.
    static let choice = page(
        """
        <h1>{{title}}</h1>
        <p>{{lead}}</p>
        {{#hasPasskey}}<div id="by-passkey" hidden>
        <button id="use-passkey" type="button" data-path="{{page}}/passkey" data-page="{{page}}">{{own.usePasskey}}</button>
        {{#hasFace}}<p class="else">{{own.orFace}}</p>{{/hasFace}}
        </div>
        <noscript><p class="hint">{{own.passkeysNeedScript}}</p></noscript>
        {{/hasPasskey}}{{#hasFace}}<form id="face" method="post" action="{{page}}/face">
        <label for="email">{{say.email}}</label>
        <input id="email" name="email" type="email" inputmode="email" autocomplete="{{autocomplete}}" autocapitalize="none" spellcheck="false" maxlength="254" required autofocus value="{{hint}}"{{#hasFault}} aria-invalid="true" aria-errormessage="fault"{{/hasFault}}>
        <fieldset id="where" class="choices" hidden><legend>{{say.where}}</legend>
        <label class="choice"><input type="radio" name="mode" value="same-device" checked> <span>{{say.here}}</span></label>
        <label class="choice"><input type="radio" name="mode" value="cross-device"> <span>{{say.elsewhere}}</span></label>
        </fieldset>
        <button type="submit"{{#hasPasskey}} class="plain"{{/hasPasskey}}>{{say.faceTitle}}</button>
        </form>
        {{/hasFace}}\(messages)
        \(cancel)
        """,
        script: true
    )

    /// The scan goes on elsewhere; this page looks, by a stream of events or by loading itself again.
    static let wait = page(
        """
        <section id="waiting" data-events="events" data-left="{{left}}">
        <h1>{{title}}</h1>
        {{#isElsewhere}}<div id="elsewhere">
        <p>{{say.elsewhereLead}}</p>
        <canvas id="code" role="img" aria-label="{{say.codeLabel}}" data-address="{{scan}}"></canvas>
        <p class="hint">{{say.numberLead}}</p>
        <p id="number" class="code" translate="no">{{number}}</p>
        </div>
        {{/isElsewhere}}{{^isElsewhere}}<p>{{own.hereLead}}</p>
        {{/isElsewhere}}{{#hasScan}}<p><a id="scan" class="button{{#isElsewhere}} plain{{/isElsewhere}}" href="{{scan}}" target="_blank" rel="noopener noreferrer">{{say.openScan}}</a></p>
        {{/hasScan}}<ol id="steps" class="steps">{{#steps}}<li{{#isPast}} class="past"{{/isPast}}{{#isNow}} aria-current="step"{{/isNow}}>{{text}}</li>{{/steps}}</ol>
        <p id="left" class="hint" aria-hidden="true"></p>
        </section>
        \(messages)
        <noscript><p class="hint">{{own.looksAgain}} <a id="look" href="wait">{{own.lookAgain}}</a></p></noscript>
        <p class="else"><a href="{{page}}">{{own.otherWay}}</a></p>
        \(cancel)
        """,
        script: true,
        head: "\n<noscript><meta http-equiv=\"refresh\" content=\"\(refreshSeconds)\"></noscript>"
    )

    /// How a scan has ended that signs nobody in.
    static let failed = page(
        """
        <h1>{{title}}</h1>
        <p id="failure">{{text}}</p>
        <p><a class="button" href="{{page}}">{{say.tryAgain}}</a></p>
        \(cancel)
        """
    )

    /// What the client would get, in plain words, and whose account it is.
    static let consent = page(
        """
        <h1>{{title}}</h1>
        <p>{{lead}}</p>
        {{#hasScopes}}<ul id="scopes" class="list">{{#scopes}}<li>{{text}}</li>{{/scopes}}</ul>
        {{/hasScopes}}<dl>{{#facts}}<div><dt>{{label}}</dt><dd dir="auto">{{value}}</dd></div>{{/facts}}</dl>
        {{#isStrange}}<p class="hint">{{warning}}</p>
        {{/isStrange}}<form id="consent" method="post" action="{{page}}/consent">
        <input type="hidden" name="as" value="{{mark}}">
        <button type="submit">{{agree}}</button>
        </form>
        <form id="cancel" method="post" action="{{page}}/cancel"><button type="submit" class="quiet">{{own.refuse}}</button></form>
        """
    )

    /// Leads on from a form's answer: a browser holds every redirect behind a form to `form-action`, also those that the
    /// client's own site makes (CSP Level 3 §6.4.1), and a page of its own ends that chain.
    static let onward = page(
        """
        <h1>{{title}}</h1>
        <p role="status">{{lead}}</p>
        <p><a id="onward" class="button" href="{{next}}">{{own.onward}}</a></p>
        """,
        head: "\n<meta http-equiv=\"refresh\" content=\"0;url={{next}}\">"
    )

    /// A page that says how it stands, and no more.
    static let notice = page(
        """
        <h1>{{title}}</h1>
        <p>{{lead}}</p>
        """
    )

    /// Between two looks of a browser without scripts.
    static let refreshSeconds = 3

    private static let cancel = """
        <form id="cancel" method="post" action="{{page}}/cancel"><button type="submit" class="quiet">{{cancel}}</button></form>
        """

    private static let messages = """
        <p id="status" class="status" role="status">{{status}}</p>
        <p id="fault" class="fault" role="alert">{{fault}}</p>
        """
}
