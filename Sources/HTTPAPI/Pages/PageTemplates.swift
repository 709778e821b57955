/// The pages' markup, style and script.
///
/// Embedded: a resource bundle would have to lie beside the binary.
enum PageTemplates {
    /// A face in a frame, 48 wide and high.
    static let mark = """
        <path d="M8 16V8h8M32 8h8v8M40 32v8h-8M16 40H8v-8M17 19v3M31 19v3M24 19v7h-2M17 31c4 4 10 4 14 0" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>
        """

    /// What every page begins with that carries its style in itself.
    static let head = """
        <!doctype html>
        <html lang="{{language}}">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex, nofollow">
        <meta name="color-scheme" content="light dark">
        <title>{{title}}</title>
        <style>{{{style}}}</style>
        </head>
        """

    /// One layout for every page: a heading, a sentence, and what the page has besides of facts, form and denial.
    static let page = """
        \(head)
        <body>
        <main{{#hasRefusal}} data-code="{{refusal}}"{{/hasRefusal}}>
        <svg aria-hidden="true" viewBox="0 0 48 48" width="48" height="48">\(mark)</svg>
        <h1>{{title}}</h1>
        <p{{#isLive}} role="status"{{/isLive}}>{{body}}</p>
        {{#hasCode}}<p class="code" translate="no">{{code}}</p>
        {{/hasCode}}{{#hasNote}}<p>{{note}}</p>
        {{/hasNote}}{{#hasMessage}}<blockquote dir="auto">{{message}}</blockquote>
        {{/hasMessage}}{{#hasScopes}}<p>{{scopesLead}}</p>
        <ul id="scopes">{{#scopes}}<li>{{text}}</li>{{/scopes}}</ul>
        <p class="hint">{{strange}}</p>
        {{/hasScopes}}{{#hasFacts}}<dl>{{#facts}}<div><dt>{{label}}</dt><dd>{{value}}</dd></div>{{/facts}}</dl>{{/hasFacts}}
        {{#hasPasskey}}<p>{{passkeyHint}}</p>
        {{/hasPasskey}}{{#hasButton}}<form method="{{method}}"{{#hasAction}} action="{{action}}"{{/hasAction}}>{{#hasNumber}}
        <label for="number">{{numberLabel}}</label>
        <input id="number" name="number" type="text" inputmode="numeric" autocomplete="off" pattern="[0-9]{2}" maxlength="2" required aria-describedby="number-hint{{#hasAlert}} number-fault{{/hasAlert}}"{{#hasAlert}} aria-invalid="true" autofocus{{/hasAlert}}>
        <p id="number-hint" class="hint">{{numberHint}}</p>
        {{#hasAlert}}<p id="number-fault" class="fault" role="alert">{{alert}}</p>{{/hasAlert}}
        {{/hasNumber}}{{#hasPassword}}
        <label for="password">{{passwordLabel}}</label>
        <input id="password" name="password" type="password" autocomplete="current-password" aria-describedby="password-hint{{#hasAlert}} password-fault{{/hasAlert}}"{{#hasAlert}} aria-invalid="true" autofocus{{/hasAlert}}>
        <p id="password-hint" class="hint">{{passwordHint}}</p>
        {{#hasAlert}}<p id="password-fault" class="fault" role="alert">{{alert}}</p>{{/hasAlert}}
        {{/hasPassword}}{{#hasPasskey}}<button type="submit" id="with-passkey" data-path="{{passkeyPath}}" hidden>{{passkeyButton}}</button>
        {{/hasPasskey}}<button type="submit"{{#hasPasskey}} class="plain"{{/hasPasskey}}>{{button}}</button></form>{{/hasButton}}
        {{#hasPasskey}}<p id="status" class="hint" role="status"></p>
        <p id="fault" class="fault" role="alert"></p>
        <noscript><p class="hint">{{needsScript}}</p></noscript>
        {{/hasPasskey}}
        {{#hasDenial}}<form method="post" action="{{denialPath}}"><button type="submit" class="quiet">{{denial}}</button></form>{{/hasDenial}}
        </main>
        {{#hasScript}}<script>{{{script}}}</script>{{/hasScript}}{{#hasModule}}<script type="module" src="{{module}}"></script>{{/hasModule}}
        </body>
        </html>
        """

    static let style = """
        :root{--ground:#f4f5f7;--card:#fff;--ink:#16202c;--soft:#55606e;--line:#d5dae1;--accent:#1f5eff;\
        --on-accent:#fff;--fault:#b3161f}
        @media(prefers-color-scheme:dark){:root{--ground:#0e1217;--card:#181e26;--ink:#eef2f7;--soft:#a8b3c1;\
        --line:#36404d;--accent:#7aa2ff;--on-accent:#0b1220;--fault:#ff9a94}}
        *{box-sizing:border-box}
        body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1rem;\
        background:var(--ground);color:var(--ink);font:1.0625rem/1.5 system-ui,sans-serif}
        main{width:100%;max-width:26rem;background:var(--card);border-radius:1.25rem;padding:2rem 1.5rem;\
        text-align:center;box-shadow:0 1px 2px #0002,0 8px 32px #0001}
        svg{color:var(--accent)}
        h1{font-size:1.375rem;line-height:1.25;margin:1rem 0 .5rem;text-wrap:balance}
        p{margin:0 0 1.5rem;color:var(--soft)}
        main>p:last-child{margin-bottom:0}
        blockquote{margin:0 0 1.5rem;padding:.75rem 1rem;border-radius:.75rem;background:var(--ground);\
        font-size:1.1875rem;font-weight:600;text-align:start;overflow-wrap:anywhere}
        ul{margin:0 0 1.5rem;padding-inline-start:1.25rem;text-align:start;overflow-wrap:anywhere}
        .code{color:var(--ink);font-size:2.5rem;font-weight:700;line-height:1.25;letter-spacing:.2em;text-indent:.2em;\
        font-variant-numeric:tabular-nums}
        dl{margin:0 0 1.5rem;text-align:start;border-block:1px solid var(--line)}
        dl div{display:flex;gap:1rem;justify-content:space-between;padding:.5rem 0}
        dl div+div{border-top:1px solid var(--line)}
        dt{color:var(--soft)}
        dd{margin:0;text-align:end;font-weight:600;overflow-wrap:anywhere;unicode-bidi:isolate}
        label{display:block;text-align:start;font-weight:600}
        input{width:100%;min-height:3.5rem;margin:.25rem 0 .5rem;padding:0 1rem;border:2px solid var(--soft);\
        border-radius:.75rem;background:var(--card);color:var(--ink);font:inherit;font-size:1.25rem}
        input#number{padding:0;font-size:1.75rem;letter-spacing:.5em;text-indent:.5em;text-align:center}
        input[aria-invalid]{border-color:var(--fault)}
        .hint,.fault{text-align:start;font-size:.9375rem;margin-bottom:1rem}
        .fault{color:var(--fault);font-weight:600}
        form~.hint,form~.fault{margin:.75rem 0}
        .hint:empty,.fault:empty{margin:0}
        form~form,form>button+button{margin-top:.75rem}
        button{width:100%;min-height:3rem;padding:.75rem 1rem;border:2px solid transparent;border-radius:.75rem;\
        background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
        button.plain{background:transparent;color:var(--accent);border-color:var(--line)}
        button.quiet{background:transparent;color:var(--fault);border-color:var(--line)}
        button:focus-visible,input:focus-visible{outline:3px solid var(--ink);outline-offset:3px}
        """

    /// Sends the page's form by itself, once: a page that comes back from the history waits for the button.
    static func script(after milliseconds: Int) -> String {
        "addEventListener('pageshow',function(e){if(!e.persisted)setTimeout(function(){"
            + "document.forms[0].submit()},\(milliseconds))});"
    }
}
