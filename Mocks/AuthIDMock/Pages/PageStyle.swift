import MockServing

/// The style sheet: phones first, in the colours of the product, no fonts or pictures from anywhere.
enum PageStyle {
    static let css =
        MockLook.colours + """

            * { box-sizing: border-box; }
            body {
              margin: 0; min-height: 100svh; display: flex; flex-direction: column; align-items: center; gap: 1rem;
              padding: 1rem max(1rem, env(safe-area-inset-right)) 1.5rem max(1rem, env(safe-area-inset-left));
              background: var(--ground);
              color: var(--ink); font: 1.0625rem/1.5 system-ui, sans-serif;
            }
            .brand { display: flex; align-items: center; gap: .6rem; width: 100%; max-width: 27rem; }
            .brand-name { font-weight: 700; font-size: 1.125rem; }
            .badge {
              margin-left: auto; padding: .15rem .6rem; border: 1px solid var(--line); border-radius: 1rem;
              color: var(--soft); font-size: .875rem; font-weight: 600;
            }
            .mark { width: 1.75rem; height: 1.75rem; color: var(--accent); }
            main {
              width: 100%; max-width: 27rem; padding: 2rem 1.5rem; border-radius: 1.25rem;
              background: var(--card); box-shadow: 0 1px 2px #0002, 0 8px 32px #0001;
            }
            h1 { margin: 0; font-size: 1.375rem; line-height: 1.25; text-wrap: balance; }
            p { margin: 0; }
            .lead { margin-top: .35rem; color: var(--soft); overflow-wrap: anywhere; }
            .lead strong { color: var(--ink); font-weight: 600; }
            .layout { display: grid; gap: 1.25rem; grid-template-areas: "head" "stage" "form"; }
            .head { grid-area: head; }
            .stage { grid-area: stage; display: grid; justify-items: center; gap: .6rem; }
            .finder {
              position: relative; display: grid; place-items: center; width: 8rem; aspect-ratio: 4 / 5; overflow: hidden;
              border: 3px solid var(--accent); border-radius: 50%; background: var(--ground); outline: 1px dashed var(--line);
              outline-offset: .45rem;
            }
            .finder video { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; transform: scaleX(-1); }
            .face { width: 88%; align-self: end; fill: none; stroke: var(--soft); stroke-width: 3; stroke-linecap: round;
              stroke-linejoin: round; opacity: .75; }
            .hint { margin-top: .4rem; color: var(--soft); font-size: .9rem; text-align: center; }
            .time { margin-top: 1rem; }
            .time p { display: flex; align-items: center; gap: .4rem; color: var(--soft); font-size: .9rem;
              font-variant-numeric: tabular-nums; }
            .time.short p { color: var(--fault); font-weight: 600; }
            .glyph { width: 1.15rem; height: 1.15rem; fill: none; stroke: currentcolor; stroke-width: 1.6; stroke-linecap: round; }
            progress { display: block; width: 100%; height: .375rem; margin-top: .4rem; border: 0; border-radius: 99px;
              overflow: hidden; appearance: none; background: var(--ground); color: var(--accent); }
            progress::-webkit-progress-bar { background: var(--ground); }
            progress::-webkit-progress-value { background: var(--accent); border-radius: 99px; }
            progress::-moz-progress-bar { background: var(--accent); border-radius: 99px; }
            form { grid-area: form; }
            button { font: inherit; font-weight: 600; cursor: pointer; min-height: 2.75rem; border-radius: .75rem;
              touch-action: manipulation; }
            button:focus-visible, a:focus-visible, select:focus-visible, input:focus-visible, summary:focus-visible, pre:focus-visible {
              outline: 3px solid var(--ink); outline-offset: 3px; }
            select, input:not([type=hidden]) { width: 100%; min-height: 2.75rem; margin-top: .25rem; padding: 0 .75rem;
              border: 2px solid var(--soft); border-radius: .75rem; background: var(--card); color: var(--ink); font: inherit; }
            ::placeholder { color: var(--soft); opacity: 1; }
            .skip { position: absolute; inset-inline-start: 1rem; top: -4rem; z-index: 1; padding: .75rem 1rem;
              border-radius: .75rem; background: var(--accent); color: var(--on-accent); font-weight: 600; }
            .skip:focus { top: .5rem; }
            .primary { width: 100%; min-height: 3rem; border: 2px solid transparent; background: var(--accent); color: var(--on-accent); }
            .quiet { padding: 0 1rem; border: 2px solid var(--line); background: transparent; color: var(--accent);
              font-size: .9375rem; }
            fieldset { margin: 1.25rem 0 0; padding: 0; border: 0; }
            legend { padding: 0; margin-bottom: .6rem; color: var(--soft); font-size: .9rem; }
            .choices { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem; }
            .choice { display: grid; gap: .1rem; padding: .55rem .75rem; border: 2px solid var(--line);
              background: transparent; color: var(--ink); text-align: left; line-height: 1.3; align-content: center; }
            .choice span { font-weight: 600; font-size: .95rem; }
            .choice small { color: var(--soft); font-size: .8rem; }
            .choice:hover, .quiet:hover { border-color: var(--accent); background: var(--ground); }
            .choice:last-child:nth-child(odd) { grid-column: 1 / -1; }
            .notice { display: grid; justify-items: center; gap: .75rem; padding: 1.5rem .25rem .5rem; text-align: center; }
            .notice p { color: var(--soft); max-width: 22rem; text-wrap: pretty; }
            .notice dl { width: 100%; margin: 0; text-align: left; }
            .notice dl div { display: grid; grid-template-columns: 5rem 1fr; gap: .75rem; padding: .55rem 0;
              border-top: 1px solid var(--line); }
            .notice dt { color: var(--soft); }
            .notice dd { margin: 0; overflow-wrap: anywhere; }
            .symbol { width: 4.5rem; height: 4.5rem; fill: none; stroke: var(--soft); stroke-width: 3; stroke-linecap: round;
              stroke-linejoin: round; }
            .symbol circle { stroke: none; fill: var(--ground); }
            .good .symbol { stroke: var(--good); }
            .good .symbol circle { fill: var(--tint); }
            .bad .symbol { stroke: var(--fault); }
            .bad .symbol circle { fill: var(--fault-tint); }
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
              .finder.live { animation: breathe 2.4s ease-in-out infinite; }
              @keyframes breathe { 50% { outline-color: var(--accent); outline-offset: .7rem; } }
            }
            @media (forced-colors: active) { .finder, .choice, .primary { border: 2px solid buttonborder; } }

            """
}
