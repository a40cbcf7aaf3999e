// The page's end of a bridge of Shunt: calls modules over a WebSocket, or through the message handler of a web view.

/** The error of a call: `message`, `status` as over HTTP (0: the connection ended), `parameters`, `location`. */
export class BridgeError extends Error {
  constructor(error) {
    super(error.message);
    Object.assign(this, error, { name: "BridgeError" });
  }
}

const lost = { status: 0, message: "the connection ended" };

export class Bridge {
  #to;
  #socket;
  #timer;
  #failures = 0;
  #isClosed = false;
  #last = 0;
  #asked = new Map(); // calls and feeds under way; nothing of them is sent while there is no open socket

  /** `to`: the URL of the bridge, or a function that takes a message to it. */
  constructor(to) {
    this.#to = to;
    if (typeof to === "function") return;
    addEventListener("pagehide", () => this.#end());
    addEventListener("pageshow", () => this.#asked.size && this.#connect());
  }

  /** Calls. A call whose connection ends is not repeated. */
  post(url, param, { signal } = {}) {
    return new Promise((value, fail) => {
      if (signal?.aborted) return fail(signal.reason);
      const id = this.#ask("post", url, param, { value, fail });
      signal?.addEventListener("abort", () => this.#leave(id) && fail(signal.reason), { once: true });
    });
  }

  /** Listens until `leave()`, again after each loss of the connection; `ended` settles at the end. */
  listen(url, param, value) {
    let leave;
    const ended = new Promise((end, fail) => {
      const id = this.#ask("listen", url, param, { value, end, fail });
      leave = () => this.#leave(id) && end();
    });
    ended.catch(() => {});
    return { leave, ended };
  }

  /** Takes a message of the program; only for a bridge through a function. */
  receive(text) {
    const { id, value, end, error } = JSON.parse(text);
    const one = this.#asked.get(id);
    if (!one) return id === null ? console.error(error.message) : undefined;
    if (error || end || !one.end) this.#asked.delete(id);
    if (error) one.fail(new BridgeError(error));
    else if (end) one.end?.();
    else one.value(value);
  }

  /** Ends everything. */
  close() {
    this.#isClosed = true;
    this.#end(true);
  }

  #ask(type, url, param, one) {
    const id = ++this.#last;
    one.text = JSON.stringify({ id, type, url, param });
    if (this.#isClosed) one.fail(new BridgeError(lost));
    else {
      this.#asked.set(id, one);
      if (!this.#send(one.text)) this.#connect();
    }
    return id;
  }

  #leave(id) {
    const isAsked = this.#asked.delete(id);
    if (isAsked) this.#send(JSON.stringify({ id, type: "leave" }));
    return isAsked;
  }

  #send(text) {
    if (typeof this.#to === "function") return this.#to(text), true;
    const isOpen = this.#socket?.readyState === 1;
    if (isOpen) this.#socket.send(text);
    return isOpen;
  }

  #connect() {
    if (this.#socket) return;
    clearTimeout(this.#timer);
    const url = new URL(this.#to, location.href).href.replace(/^http/, "ws");
    const socket = (this.#socket = new WebSocket(url));
    socket.onopen = () => {
      this.#failures = 0;
      for (const one of this.#asked.values()) socket.send(one.text);
    };
    socket.onmessage = event => this.#socket === socket && this.receive(event.data);
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#end();
      // Feeds try again, after 0.5 to 30 seconds.
      const wait = Math.min(30_000, 1000 * 2 ** this.#failures++) * (0.5 + Math.random() / 2);
      if (this.#asked.size) this.#timer = setTimeout(() => this.#connect(), wait);
    };
  }

  #end(isAll) {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    for (const [id, one] of this.#asked) {
      if (one.end && !isAll) continue;
      this.#asked.delete(id);
      one.fail(new BridgeError(lost));
    }
  }
}
