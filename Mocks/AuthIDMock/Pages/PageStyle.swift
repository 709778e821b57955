/// The style sheet: phones first, light and dark, no fonts or pictures from anywhere.
enum PageStyle {
    static let css = """
        :root {
          color-scheme: light dark;
          --ground: #f4f6fb; --glow: #e3e9ff; --card: #ffffff; --line: #d9dfec; --edge: #838da8; --text: #131a2c; --soft: #55607a;
          --accent: #3552d8; --accent-text: #ffffff; --accent-press: #2a43b4; --well: #eef1f9;
          --good: #0c7a4d; --good-ground: #e2f6ec; --bad: #b3261e; --bad-ground: #fdeceb; --calm-ground: #eceff7;
          --shadow: 0 1px 2px rgb(19 26 44 / .06), 0 16px 40px -18px rgb(19 26 44 / .25);
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #0d1220; --glow: #1a2547; --card: #151c2e; --line: #2b3550; --edge: #66739a; --text: #eef1fa; --soft: #a5b0cb;
            --accent: #8fa4ff; --accent-text: #0d1220; --accent-press: #b0beff; --well: #0f1626;
            --good: #5fd8a0; --good-ground: #12352a; --bad: #ff9d95; --bad-ground: #3c1c1e; --calm-ground: #222b42;
            --shadow: 0 1px 2px rgb(0 0 0 / .4);
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0; min-height: 100svh; display: flex; flex-direction: column; align-items: center; gap: 1rem;
          padding: 1rem max(1rem, env(safe-area-inset-right)) 1.5rem max(1rem, env(safe-area-inset-left));
          background: radial-gradient(60rem 30rem at 50% -12rem, var(--glow), transparent) no-repeat var(--ground);
          color: var(--text); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
        }
        .brand { display: flex; align-items: center; gap: .6rem; width: 100%; max-width: 27rem; }
        .brand-name { font-weight: 650; letter-spacing: -.01em; }
        .badge {
          margin-left: auto; padding: .15rem .6rem; border: 1px solid var(--line); border-radius: 99px;
          color: var(--soft); font-size: .8rem;
        }
        .mark { width: 2rem; height: 2rem; }
        .mark rect { fill: #3552d8; }
        .mark path { fill: none; stroke: #fff; stroke-width: 2; stroke-linecap: round; }
        main {
          width: 100%; max-width: 27rem; padding: 1.25rem; border: 1px solid var(--line); border-radius: 1.25rem;
          background: var(--card); box-shadow: var(--shadow);
        }
        h1 { margin: 0; font-size: 1.5rem; line-height: 1.2; letter-spacing: -.02em; text-wrap: balance; }
        p { margin: 0; }
        .lead { margin-top: .35rem; color: var(--soft); overflow-wrap: anywhere; }
        .lead strong { color: var(--text); font-weight: 600; }
        .layout { display: grid; gap: 1.25rem; grid-template-areas: "head" "stage" "form"; }
        .head { grid-area: head; }
        .stage { grid-area: stage; display: grid; justify-items: center; gap: .6rem; }
        .finder {
          position: relative; display: grid; place-items: center; width: 8rem; aspect-ratio: 4 / 5; overflow: hidden;
          border: 3px solid var(--accent); border-radius: 50%; background: var(--well); outline: 1px dashed var(--line);
          outline-offset: .45rem;
        }
        .finder video { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; transform: scaleX(-1); }
        .face { width: 88%; align-self: end; fill: none; stroke: var(--soft); stroke-width: 3; stroke-linecap: round;
          stroke-linejoin: round; opacity: .75; }
        .hint { margin-top: .4rem; color: var(--soft); font-size: .9rem; text-align: center; }
        .time { margin-top: 1rem; }
        .time p { display: flex; align-items: center; gap: .4rem; color: var(--soft); font-size: .9rem;
          font-variant-numeric: tabular-nums; }
        .time.short p { color: var(--bad); font-weight: 600; }
        .glyph { width: 1.15rem; height: 1.15rem; fill: none; stroke: currentcolor; stroke-width: 1.6; stroke-linecap: round; }
        progress { display: block; width: 100%; height: .375rem; margin-top: .4rem; border: 0; border-radius: 99px;
          overflow: hidden; appearance: none; background: var(--well); color: var(--accent); }
        progress::-webkit-progress-bar { background: var(--well); }
        progress::-webkit-progress-value { background: var(--accent); border-radius: 99px; }
        progress::-moz-progress-bar { background: var(--accent); border-radius: 99px; }
        form { grid-area: form; }
        button { font: inherit; cursor: pointer; min-height: 2.75rem; border-radius: .8rem; touch-action: manipulation; }
        button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
        .primary { width: 100%; min-height: 3.25rem; border: 0; background: var(--accent); color: var(--accent-text);
          font-weight: 650; }
        .primary:hover, .primary:active { background: var(--accent-press); }
        .quiet { padding: 0 1rem; border: 1px solid var(--edge); background: transparent; color: var(--text);
          font-size: .9rem; }
        fieldset { margin: 1.25rem 0 0; padding: 0; border: 0; }
        legend { padding: 0; margin-bottom: .6rem; color: var(--soft); font-size: .9rem; }
        .choices { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem; }
        .choice { display: grid; gap: .1rem; padding: .55rem .75rem; border: 1px solid var(--edge);
          background: transparent; color: var(--text); text-align: left; line-height: 1.3; align-content: center; }
        .choice span { font-weight: 600; font-size: .95rem; }
        .choice small { color: var(--soft); font-size: .8rem; }
        .choice:hover, .quiet:hover { border-color: var(--accent); background: var(--well); }
        .choice:last-child:nth-child(odd) { grid-column: 1 / -1; }
        .notice { display: grid; justify-items: center; gap: .75rem; padding: 1.5rem .25rem .5rem; text-align: center; }
        .notice p { color: var(--soft); max-width: 22rem; text-wrap: pretty; }
        .symbol { width: 4.5rem; height: 4.5rem; fill: none; stroke: var(--soft); stroke-width: 3; stroke-linecap: round;
          stroke-linejoin: round; }
        .symbol circle { stroke: none; fill: var(--calm-ground); }
        .good .symbol { stroke: var(--good); }
        .good .symbol circle { fill: var(--good-ground); }
        .bad .symbol { stroke: var(--bad); }
        .bad .symbol circle { fill: var(--bad-ground); }
        .environment { width: 100%; margin: 1rem 0 0; border-top: 1px solid var(--line); text-align: left; font-size: .85rem; }
        .environment div { display: grid; grid-template-columns: 5rem 1fr; gap: .75rem; padding: .55rem 0;
          border-bottom: 1px solid var(--line); }
        .environment div:last-child { border-bottom: 0; padding-bottom: 0; }
        .environment dt { color: var(--soft); }
        .environment dd { margin: 0; overflow-wrap: anywhere; }
        footer { max-width: 27rem; color: var(--soft); font-size: .8rem; text-align: center; text-wrap: balance; }
        @media (min-width: 56rem) {
          .card { justify-content: center; }
          .brand, main { max-width: 52rem; }
          main:has(.notice) { max-width: 30rem; }
          .brand:has(+ main .notice) { max-width: 30rem; }
          .card main { padding: 2rem; }
          .layout { grid-template: "stage head" auto "stage form" 1fr / 18rem 1fr; gap: 1.25rem 2.5rem; }
          .stage { padding-right: 2.5rem; border-right: 1px solid var(--line); align-content: center; }
          .finder { width: 13rem; }
        }
        @media (max-width: 20rem) { .choices { grid-template-columns: 1fr; } }
        @media (prefers-reduced-motion: no-preference) {
          button { transition: background .12s, border-color .12s; }
          .finder.live { animation: breathe 2.4s ease-in-out infinite; }
          @keyframes breathe { 50% { outline-color: var(--accent); outline-offset: .7rem; } }
        }
        @media (forced-colors: active) { .finder, .choice, .primary { border: 2px solid buttonborder; } }

        """
}
