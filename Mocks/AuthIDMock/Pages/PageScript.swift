/// The script of the scan page: a running clock, the camera's picture, and the result as soon as the scan is decided
/// elsewhere.
///
/// Without it the page works by its form alone.
enum PageScript {
    static let javaScript = """
        "use strict";
        (() => {
          const box = document.getElementById("time");
          if (!box) return;
          const text = document.getElementById("time-left");
          const bar = document.getElementById("time-bar");
          const end = performance.now() + Number(box.dataset.left) * 1000;

          function tick() {
            const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
            text.textContent = Math.floor(left / 60) + ":" + String(left % 60).padStart(2, "0");
            bar.value = left;
            box.classList.toggle("short", left <= 20);
            if (left > 0) setTimeout(tick, 250); else location.reload();
          }
          tick();

          // A choice that was made elsewhere (a tester's call, a scenario) shows here by itself.
          async function follow() {
            try {
              const answer = await fetch("/_scan/state" + location.search, { cache: "no-store" });
              if (answer.ok && (await answer.json()).status !== "pending") return location.reload();
            } catch { /* The mock is away: the clock goes on, and so do we. */ }
            setTimeout(follow, 1000);
          }
          setTimeout(follow, 1000);

          const button = document.getElementById("camera");
          const note = document.getElementById("camera-note");
          const video = document.getElementById("preview");
          const finder = document.getElementById("finder");
          const devices = navigator.mediaDevices;
          let stream = null;

          function stop() {
            if (stream) stream.getTracks().forEach((track) => track.stop());
            stream = null;
            video.srcObject = null;
            video.hidden = true;
            finder.classList.remove("live");
            button.textContent = "Turn on the camera";
            note.textContent = "No picture is needed here.";
          }

          async function start() {
            button.disabled = true;
            try {
              stream = await devices.getUserMedia({ video: { facingMode: "user" }, audio: false });
              video.srcObject = stream;
              await video.play();
              video.hidden = false;
              finder.classList.add("live");
              button.textContent = "Turn off the camera";
              note.textContent = "Hold your face inside the frame.";
            } catch (error) {
              stop();
              note.textContent = error.name === "NotAllowedError"
                ? "The camera is blocked. You can continue without it."
                : "The camera can’t be used. You can continue without it.";
            }
            button.disabled = false;
          }

          async function offerCamera() {
            if (!devices || !devices.getUserMedia) return;
            const found = await devices.enumerateDevices();
            if (!found.some((device) => device.kind === "videoinput")) return;
            button.hidden = false;
            button.addEventListener("click", () => { if (stream) stop(); else start(); });
          }
          offerCamera().catch(() => {});
          addEventListener("pagehide", stop);
        })();

        """
}
