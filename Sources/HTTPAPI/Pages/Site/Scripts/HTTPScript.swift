extension SiteScripts {
    /// Requests to this server's API.
    static let http = #"""
        // What the server or the way there answered instead of what was asked for.
        export class Fault extends Error {
          constructor(code, { message = "", status = 0, retryAfter = 0 } = {}) {
            super(message);
            this.name = "Fault";
            this.code = code;
            this.status = status;
            this.retryAfter = retryAfter;
          }
        }

        // The members of the answer. Addresses are relative: a proxy may have mounted the pages below a path.
        export async function send(method, path, body, { headers = {}, signal, patience = 20_000 } = {}) {
          const limit = new AbortController();
          const giveUp = () => limit.abort(signal.reason);
          const timer = setTimeout(() => limit.abort(new Fault("no_answer")), patience);
          signal?.throwIfAborted();
          signal?.addEventListener("abort", giveUp, { once: true });
          try {
            return await answer(await request(method, path, body, headers, limit.signal));
          } catch (error) {
            if (limit.signal.aborted) throw limit.signal.reason;
            throw error instanceof Fault ? error : new Fault("offline");
          } finally {
            clearTimeout(timer);
            signal?.removeEventListener("abort", giveUp);
          }
        }

        const request = (method, path, body, headers, signal) =>
          fetch(path, {
            method,
            signal,
            cache: "no-store",
            credentials: "same-origin",
            headers: {
              Accept: "application/json",
              ...(body === undefined ? {} : { "Content-Type": "application/json" }),
              ...headers,
            },
            body: body === undefined ? undefined : JSON.stringify(body),
          });

        async function answer(response) {
          const text = await response.text();
          let members = null;
          try {
            members = text === "" ? {} : JSON.parse(text);
          } catch {
            // A proxy's page, say.
          }
          if (response.ok && members !== null) return members;
          throw new Fault(members?.code ?? "unreadable", {
            message: members?.message ?? members?.error,
            status: response.status,
            retryAfter: Number(response.headers.get("Retry-After")) || 0,
          });
        }
        """#
}
