/** The error of a call. */
export class BridgeError extends Error {
  /** The status, as over HTTP; 0 if the connection ended before the answer. */
  readonly status: number;
  /** The parameters that do not fit. */
  readonly parameters?: { name: string; problem: string }[];
  /** The URL to which the rules send the page. */
  readonly location?: string;
}

/** A feed that a page listens to. */
export interface Listening {
  /** Ends it. */
  leave(): void;
  /** Settles at the end of the feed, or at `leave`. */
  readonly ended: Promise<void>;
}

/** The page's end of a bridge. */
export class Bridge {
  /** `to`: the URL of the bridge, or a function that takes a message to it. */
  constructor(to: string | URL | ((message: string) => void));
  /** Calls; a call whose connection ends is not repeated. */
  post<Value = unknown>(url: string, param?: object, options?: { signal?: AbortSignal }): Promise<Value>;
  /** Listens, again after each loss of the connection. */
  listen<Value = unknown>(url: string, param: object | undefined, value: (value: Value) => void): Listening;
  /** Takes a message of the program; only for a bridge through a function. */
  receive(message: string): void;
  /** Ends everything. */
  close(): void;
}
