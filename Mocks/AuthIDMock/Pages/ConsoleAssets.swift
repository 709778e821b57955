/// The style and script of the testers' page alone.
enum ConsoleAssets {
    static let css = """
        .console .brand, .console main { max-width: 27rem; }
        .console main { padding: 0; background: none; box-shadow: none; }
        #console { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
        .top { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem; padding: .25rem .25rem 0; }
        .top .lead { margin: 0; }
        h2 { margin: 0; font-size: 1.05rem; line-height: 1.3; letter-spacing: -.01em; }
        .scan, .switches, .empty, .ended { padding: 1.1rem; border: 1px solid var(--line); border-radius: 1.25rem;
          background: var(--card); box-shadow: 0 1px 2px #0002, 0 8px 32px #0001; }
        .who { overflow-wrap: anywhere; }
        .who .lead { margin: 0; font-size: .9rem; }
        .tags { display: flex; flex-wrap: wrap; gap: .4rem; margin: .6rem 0 .9rem; font-size: .8rem; }
        .tag { display: inline-flex; align-items: center; gap: .3rem; padding: .15rem .6rem; border: 1px solid var(--line);
          border-radius: 1rem; color: var(--soft); font-variant-numeric: tabular-nums; }
        .tag.on { border-color: transparent; background: var(--tint); color: var(--good); font-weight: 600; }
        .tag.time { margin: 0 0 0 auto; border-color: transparent; padding-right: 0; font-size: .85rem; }
        .tag.short { color: var(--fault); font-weight: 600; }
        .scan .choices { grid-template-columns: repeat(3, 1fr); margin-top: .6rem; }
        .scan .choice { min-height: 2.75rem; padding-inline: .25rem; text-align: center; font-size: .9rem; }
        .scan .choice:last-child:nth-child(odd) { grid-column: 1 / -1; }
        .switches { background: var(--ground); box-shadow: none; font-size: .9rem; }
        .switches ul, .ended ul { margin: 0; padding: 0; list-style: none; display: grid; gap: .35rem; overflow-wrap: anywhere; }
        .switches form { margin-top: .8rem; }
        .switches .quiet { background: var(--card); }
        .empty { display: grid; justify-items: center; gap: .75rem; padding: 2.5rem 1.5rem; text-align: center; color: var(--soft); }
        .empty .face { width: 5rem; align-self: center; }
        .empty p { max-width: 20rem; text-wrap: balance; }
        .ended ul { margin-top: .6rem; gap: 0; font-size: .9rem; }
        .ended li { display: grid; grid-template-columns: auto 1fr auto auto; align-items: center; gap: .6rem; padding: .5rem 0;
          border-top: 1px solid var(--line); }
        .ended .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .ended .how, .ended .when { color: var(--soft); }
        .ended .when { min-width: 4.5rem; text-align: right; font-variant-numeric: tabular-nums; }
        .recording, .tools { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem; padding: 1.1rem;
          border: 1px solid var(--line); border-radius: 1.25rem; background: var(--card); font-size: .9375rem; }
        .recording p { flex: 1 1 12rem; }
        .recording.on { border-color: var(--fault); background: var(--fault-tint); }
        .recording.on strong { color: var(--fault); }
        .recording.on .quiet { background: var(--card); }
        .recording pre { flex: 1 1 100%; max-height: 20rem; margin: 0; padding: .75rem 1rem; overflow: auto;
          white-space: pre-wrap; overflow-wrap: anywhere;
          border-radius: .75rem; background: var(--ground); font-size: .8125rem; }
        .link { display: inline-flex; align-items: center; justify-content: center; width: auto; min-height: 2.75rem;
          padding: 0 1rem; border-radius: .75rem; font-weight: 600; text-decoration: none; }
        .tools { display: block; margin-top: 1rem; }
        .tools form, .report { display: flex; flex-wrap: wrap; align-items: end; gap: .6rem; margin-top: .6rem; }
        .tools label, .report label { flex: 1 1 8rem; color: var(--soft); font-size: .875rem; font-weight: 600; }
        .scan .report { grid-column: 2; }
        .dot { width: .6rem; height: .6rem; border-radius: 50%; background: var(--soft); }
        .dot.good { background: var(--good); }
        .dot.bad { background: var(--fault); }
        @media (min-width: 56rem) {
          .console .brand, .console main { max-width: 60rem; }
          .scan { display: grid; grid-template: auto 1fr / 16rem 1fr; gap: 0 2rem; align-items: start; }
          .scan .choices { grid-template-columns: repeat(4, 1fr); }
          .scan .choice:last-child:nth-child(odd) { grid-column: span 2; }
          .scan .who { grid-column: 1; }
          .scan .tags { grid-column: 1; margin-bottom: 0; }
          .scan .tag.time { margin-left: 0; padding-left: 0; }
          .scan form:not(.report) { grid-column: 2; grid-row: 1 / span 2; }
        }

        """

    /// Updates the list every second without a reload, so that a finger on its way hits its target.
    ///
    /// Clocks run in between.
    static let javaScript = """
        "use strict";
        (() => {
          const box = document.getElementById("console");
          let shown = "";

          function face(seconds) {
            return Math.floor(seconds / 60) + ":" + String(seconds % 60).padStart(2, "0");
          }

          function clocks() {
            for (const tag of box.querySelectorAll(".tag.time")) {
              const left = Math.max(0, Number(tag.dataset.left));
              tag.lastElementChild.textContent = face(left);
              tag.classList.toggle("short", left <= 20);
            }
          }

          // Seconds and ages change all the time; only what else changes is worth new buttons.
          function essence(html) {
            return html.replace(/data-left="\\d+"/g, "").replace(/\\d+:\\d\\d</g, "<").replace(/\\d+ (s|min|h) ago/g, "");
          }

          async function follow() {
            try {
              const answer = await fetch("/_mock?part=list", { cache: "no-store" });
              if (answer.ok) {
                const html = await answer.text();
                const held = box.querySelector("button:active");
                if (essence(html) !== shown && !held) {
                  const focused = document.activeElement && document.activeElement.id;
                  box.innerHTML = html;
                  shown = essence(html);
                  const again = focused && document.getElementById(focused);
                  if (again) again.focus({ preventScroll: true });
                } else {
                  const fresh = new DOMParser().parseFromString(html, "text/html");
                  const times = fresh.querySelectorAll(".tag.time");
                  box.querySelectorAll(".tag.time").forEach((tag, at) => {
                    if (times[at]) tag.dataset.left = times[at].dataset.left;
                  });
                  const ages = fresh.querySelectorAll(".when");
                  box.querySelectorAll(".when").forEach((age, at) => {
                    if (ages[at]) age.textContent = ages[at].textContent;
                  });
                }
                clocks();
              }
            } catch { /* The mock is away: what is shown stays. */ }
            setTimeout(follow, 1000);
          }
          clocks();
          setTimeout(follow, 1000);
        })();

        """
}
