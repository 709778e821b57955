/// The pages' markup, style and script.
///
/// Embedded: a resource bundle would have to lie beside the binary.
enum PageTemplates {
    static let page = """
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
        <body>
        <main>
        <svg aria-hidden="true" viewBox="0 0 48 48" width="48" height="48"><path d="M8 16V8h8M32 8h8v8M40 32v8h-8M16 40H8v-8M17 19v3M31 19v3M24 19v7h-2M17 31c4 4 10 4 14 0" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>
        <h1>{{title}}</h1>
        <p>{{body}}</p>
        {{#hasButton}}<form method="post"><button type="submit">{{button}}</button></form>{{/hasButton}}
        </main>
        {{#hasScript}}<script>{{{script}}}</script>{{/hasScript}}
        </body>
        </html>
        """

    static let style = """
        :root{--ground:#f4f5f7;--card:#fff;--ink:#16202c;--soft:#55606e;--accent:#1f5eff;--on-accent:#fff}
        @media(prefers-color-scheme:dark){:root{--ground:#0e1217;--card:#181e26;--ink:#eef2f7;--soft:#a8b3c1;\
        --accent:#7aa2ff;--on-accent:#0b1220}}
        *{box-sizing:border-box}
        body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1rem;\
        background:var(--ground);color:var(--ink);font:1.0625rem/1.5 system-ui,sans-serif}
        main{width:100%;max-width:26rem;background:var(--card);border-radius:1.25rem;padding:2rem 1.5rem;\
        text-align:center;box-shadow:0 1px 2px #0002,0 8px 32px #0001}
        svg{color:var(--accent)}
        h1{font-size:1.375rem;line-height:1.25;margin:1rem 0 .5rem;text-wrap:balance}
        p{margin:0 0 1.5rem;color:var(--soft)}
        p:last-child{margin-bottom:0}
        button{width:100%;min-height:3rem;padding:.75rem 1rem;border:0;border-radius:.75rem;background:var(--accent);\
        color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
        button:focus-visible{outline:3px solid var(--ink);outline-offset:3px}
        """

    /// Sends the page's form by itself, once: a page that comes back from the history waits for the button.
    static func script(after milliseconds: Int) -> String {
        "addEventListener('pageshow',function(e){if(!e.persisted)setTimeout(function(){"
            + "document.forms[0].submit()},\(milliseconds))});"
    }
}
