// Requests to this server's API.

// An error that the server or the network answered.
export class Fault extends Error {
  constructor(code, { message = "", status = 0, retryAfter = 0 } = {}) {
    super(message);
    this.name = "Fault";
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

// Returns the members of the answer. Addresses are relative: a proxy may have mounted the pages below a path.
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

// Yields the events of a stream of server-sent events (WHATWG HTML §9.2) until it ends.
export async function* events(path, headers) {
  const limit = new AbortController();
  let timer;
  // The server sends something every 15 seconds.
  const listen = () => {
    clearTimeout(timer);
    timer = setTimeout(() => limit.abort(new Fault("no_answer")), 40_000);
  };
  try {
    listen();
    const accept = { Accept: "text/event-stream", ...headers };
    const response = await request("GET", path, undefined, accept, limit.signal);
    if (!response.ok) await answer(response);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ""; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      listen();
      const parts = (rest + value).split("\n\n");
      rest = parts.pop();
      for (const line of parts.flatMap((part) => part.split("\n"))) {
        if (line.startsWith("data: ")) yield JSON.parse(line.slice(6));
      }
    }
  } catch (error) {
    if (limit.signal.aborted) throw limit.signal.reason;
    throw error instanceof Fault ? error : new Fault("offline");
  } finally {
    clearTimeout(timer);
    limit.abort();
  }
}

// Whether a repeated request would get the same answer.
export const isFinal = (fault) =>
  fault.status >= 400 && fault.status < 500 && ![408, 425, 429].includes(fault.status);

export const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

async function answer(response) {
  const text = await response.text();
  let members = null;
  try {
    members = text === "" ? {} : JSON.parse(text);
  } catch {
    // For example a proxy's page.
  }
  if (response.ok && members !== null) return members;
  throw new Fault(members?.code ?? "unreadable", {
    message: members?.message ?? members?.error,
    status: response.status,
    retryAfter: Number(response.headers.get("Retry-After")) || 0,
  });
}
