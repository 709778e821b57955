extension SiteTemplates {
    /// A form, what is shown while the scan runs, and how it ended.
    static let face = """
        <div id="start">
        <h1>{{title}}</h1>
        <p>{{say.faceLead}}</p>
        <form id="face" novalidate>
        <label for="email">{{say.email}}</label>
        <input id="email" name="email" type="email" inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254" required autofocus>
        <fieldset class="choices"><legend>{{say.where}}</legend>
        <label class="choice"><input type="radio" name="mode" value="same-device" checked> <span>{{say.here}}</span></label>
        <label class="choice"><input type="radio" name="mode" value="cross-device"> <span>{{say.elsewhere}}</span></label>
        </fieldset>
        <button type="submit">{{say.faceTitle}}</button>
        </form>
        <p class="else"><a href="login.html">{{say.withPasskey}}</a></p>
        </div>
        \(messages)
        <section id="waiting" hidden>
        <h1>{{say.waitingTitle}}</h1>
        <div id="elsewhere">
        <p>{{say.elsewhereLead}}</p>
        <canvas id="code" role="img" aria-label="{{say.codeLabel}}"></canvas>
        <p class="hint">{{say.numberLead}}</p>
        <p id="number" class="code" translate="no"></p>
        </div>
        <div id="here"><p>{{say.hereLead}}</p></div>
        <p><a id="scan" class="button plain" target="_blank" rel="noopener noreferrer">{{say.openScan}}</a></p>
        <ol id="steps" class="steps"><li>{{say.stepOpen}}</li><li>{{say.stepStart}}</li><li>{{say.stepScan}}</li><li>{{say.stepJudge}}</li></ol>
        <p id="left" class="hint" aria-hidden="true"></p>
        <button id="give-up" type="button" class="quiet">{{say.giveUp}}</button>
        </section>
        <section id="failed" hidden>
        <h1>{{say.notSignedIn}}</h1>
        <p id="failure"></p>
        <button id="again" type="button">{{say.tryAgain}}</button>
        </section>
        <section id="done" hidden>
        \(check)
        <h1 id="done-title">{{say.signedIn}}</h1>
        <p id="done-name" class="name" dir="auto"></p>
        <p>{{say.faceDone}}</p>
        <div class="acts"><button id="add" type="button">{{say.signUp}}</button>
        <a class="button plain" href="passkeys">{{say.myPasskeys}}</a>
        <button id="sign-out" type="button" class="plain">{{say.signOut}}</button></div>
        </section>
        """
}
