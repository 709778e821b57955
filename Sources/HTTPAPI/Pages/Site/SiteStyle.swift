/// The style of the site's pages: that of the page that asks before a scan, and what lists and longer forms add to it.
enum SiteStyle {
    static let text = PageTemplates.style + "\n" + frame + "\n" + forms + "\n" + lists

    private static let frame = """
        :root{--good:#0b6b3c;--tint:#1f5eff14;--fault-tint:#b3161f12}
        @media(prefers-color-scheme:dark){:root{--good:#7fd8a6;--tint:#7aa2ff1f;--fault-tint:#ff9a941f}}
        [hidden]{display:none!important}
        .site{display:flex;flex-direction:column;align-items:center;padding:0 1rem 2rem}
        .site header{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.25rem 1.5rem;\
        width:100%;max-width:64rem;padding:.75rem 0}
        .site main{margin-block:clamp(.5rem,5vh,4rem) auto}
        .site main.wide{max-width:46rem}
        .brand{display:inline-flex;align-items:center;gap:.625rem;min-height:2.75rem;color:var(--ink);font-weight:700;\
        font-size:1.125rem;text-decoration:none}
        .brand svg{width:1.75rem;height:1.75rem}
        nav ul{display:flex;flex-wrap:wrap;gap:.25rem;margin:0 -.75rem;padding:0;list-style:none}
        nav a{display:flex;align-items:center;min-height:2.75rem;padding:0 .75rem;border-radius:.75rem;\
        color:var(--soft);text-decoration:none;font-size:.9375rem;font-weight:600}
        nav a:hover{color:var(--ink)}
        nav a[aria-current]{color:var(--accent);background:var(--card)}
        a{color:var(--accent)}
        .skip{position:absolute;inset-inline-start:1rem;top:-4rem;z-index:1;padding:.75rem 1rem;border-radius:.75rem;\
        background:var(--accent);color:var(--on-accent);font-weight:600}
        .skip:focus{top:.5rem}
        h2{font-size:1.1875rem;line-height:1.3;margin:0 0 .5rem;overflow-wrap:anywhere}
        .site h1{margin-top:0}
        .site .good+h1{margin-bottom:1rem}
        h1:focus,h2:focus{outline:none}
        small{color:var(--soft);font-size:.875em;font-weight:400}
        .status,main .fault{margin:1rem 0;padding:.75rem 1rem;border-radius:.75rem;background:var(--tint);\
        color:var(--ink);font-size:1rem;text-align:start}
        main .fault{background:var(--fault-tint);color:var(--fault)}
        .status:empty,main .fault:empty{display:none}
        #start[hidden]+.status,#start[hidden]+#mail[hidden]+.status{margin-top:0}
        .else{margin:1.5rem 0 0;padding-top:1rem;border-top:1px solid var(--line)}
        .else a{display:inline-block;padding:.25rem .125rem}
        .else+form{margin-top:.75rem}
        #by-passkey{margin-bottom:1rem}
        .good{color:var(--good)}
        .name{color:var(--ink);font-weight:700;overflow-wrap:anywhere}
        @media(max-width:40rem){.site header{justify-content:center}.site nav ul{justify-content:center;gap:0}\
        nav a{padding:0 .625rem;font-size:.875rem}.site main{margin-top:.5rem;padding:1.5rem 1.125rem}}
        """

    private static let forms = """
        a.button{display:block;min-height:3rem;padding:.75rem 1rem;border:2px solid transparent;border-radius:.75rem;\
        background:var(--accent);color:var(--on-accent);font-weight:600;text-align:center;text-decoration:none}
        button.plain,a.plain{background:transparent;color:var(--accent);border-color:var(--line)}
        button[aria-busy]{opacity:.65;cursor:progress}
        a:focus-visible,summary:focus-visible{outline:3px solid var(--ink);outline-offset:3px}
        .site input:focus-visible,select:focus-visible{outline:3px solid var(--accent);outline-offset:0;\
        border-color:var(--accent)}
        .site input[aria-invalid]:focus-visible{outline-color:var(--fault);border-color:var(--fault)}
        .choice input:focus-visible{outline-offset:3px}
        form+button{margin-top:.75rem}
        .acts{display:flex;flex-wrap:wrap;gap:.75rem}
        .acts>*{flex:1 1 12rem;width:auto}
        select{width:100%;min-height:3rem;margin:.25rem 0 .5rem;padding:0 .75rem;border:2px solid var(--soft);\
        border-radius:.75rem;background:var(--card);color:var(--ink);font:inherit}
        ::placeholder{color:var(--soft);opacity:1}
        details{margin:0 0 1rem;border:1px solid var(--line);border-radius:.75rem;text-align:start}
        summary{padding:.75rem 1rem;border-radius:.75rem;font-weight:600;cursor:pointer}
        .settings{display:grid;gap:.5rem;padding:.25rem 1rem 1rem}
        .settings label{font-size:.9375rem}
        .settings input{min-height:3rem;padding:0 .75rem;font-size:1rem}
        .settings .hint{margin:0}
        fieldset{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.5rem,1fr));gap:0 1rem;margin:0 0 .5rem;\
        padding:0;border:0}
        fieldset.choices{grid-template-columns:1fr;margin:.5rem 0 1rem}
        legend{padding:0;font-weight:600;font-size:.9375rem;text-align:start}
        label.choice{display:flex;align-items:center;gap:.625rem;min-height:2.75rem;font-weight:400;font-size:1rem}
        .choice input{flex:none;width:1.25rem;height:1.25rem;min-height:0;margin:0;accent-color:var(--accent)}
        dialog{width:min(26rem,calc(100vw - 2rem));padding:1.5rem;border:1px solid var(--line);border-radius:1.25rem;\
        background:var(--card);color:var(--ink);text-align:center}
        dialog .name{margin-bottom:.5rem}
        dialog::backdrop{background:#000a}
        """

    private static let lists = """
        .hero p,.hero{margin-bottom:1.5rem}
        .hero p{text-wrap:balance}
        .hero h1{font-size:clamp(1.5rem,5vw,2rem)}
        .card{margin:0 0 1.5rem;padding:1rem;border-radius:.75rem;background:var(--tint)}
        .card p{margin-bottom:.75rem;color:var(--ink);font-weight:600;overflow-wrap:anywhere}
        .ways{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:.75rem;margin:0;padding:0;\
        list-style:none;text-align:start}
        .ways a{display:block;height:100%;padding:1rem;border:1px solid var(--line);border-radius:.75rem;\
        color:inherit;text-decoration:none}
        .ways a:hover{border-color:var(--accent)}
        .ways strong{display:block;color:var(--accent)}
        .ways span{color:var(--soft);font-size:.9375rem}
        main section{text-align:center}
        .wide section[aria-labelledby]{margin-top:2rem;text-align:start}
        .list{margin:0;padding:0;list-style:none;text-align:start}
        .list>li{padding:1rem 0;border-top:1px solid var(--line)}
        .list p{margin:0}
        .list h2,.list h3{margin:0 0 .25rem;font-size:1.0625rem;overflow-wrap:anywhere}
        .list .none{color:var(--soft);text-align:center}
        .list .acts{margin-top:.75rem}
        .list .acts>*,dialog .acts>*{flex:0 1 auto;min-width:7rem;min-height:2.75rem;padding:.375rem 1rem}
        dialog .acts>*{flex:1 1 7rem}
        .list+.acts{margin-top:1rem}
        .facts{display:flex;flex-wrap:wrap;gap:.125rem 1rem;align-items:center;color:var(--soft);\
        font-size:.9375rem}
        .badge{padding:.0625rem .625rem;border:1px solid currentColor;border-radius:1rem;font-weight:600;\
        font-size:.875rem}
        .keys{display:grid;gap:.5rem;margin:.5rem 0 0;padding:0;list-style:none}
        .keys code{flex:1 1 100%}
        .site dt{flex:none}
        code{font-size:.9375em;overflow-wrap:anywhere}
        .acts+.hint{margin:1rem 0 0;text-align:center}
        .steps{margin:1.5rem 0;padding:0;list-style:none;text-align:start;counter-reset:step}
        .steps li{position:relative;padding:.375rem 0 .375rem 2.5rem;color:var(--soft);counter-increment:step}
        .steps li::before{content:counter(step);position:absolute;inset-inline-start:0;top:.375rem;width:1.625rem;\
        height:1.625rem;border:2px solid var(--line);border-radius:50%;font-size:.875rem;font-weight:700;\
        line-height:1.375rem;text-align:center}
        .steps li[aria-current]{color:var(--ink);font-weight:600}
        .steps li[aria-current]::before{border-color:var(--accent);color:var(--accent)}
        .steps .past::before{content:"✓";border-color:var(--good);color:var(--good)}
        canvas{width:min(13rem,100%);height:auto;border-radius:.75rem;image-rendering:pixelated}
        #elsewhere .hint{margin:.75rem 0 0;text-align:center;font-size:1rem}
        #left{text-align:center}
        p.code{font-size:3rem;margin-bottom:1rem}
        """
}
