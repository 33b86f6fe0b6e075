/**
 * An HTTP server for requests from outside.
 *
 * Promises:
 * - a request is refused before its body is read when it calls us by a name that is not ours (421), comes from a page of
 *   another origin (403), has a path that could be read in two ways or a header twice that may stand once (400), or when its
 *   route refuses it;
 * - a body is never larger than the route allows, and a request that does not arrive in time is cut off;
 * - a stream is written as fast as its client reads, and its source is closed when the client is gone;
 * - what a route throws is told to the log alone; the client gets 500 and nothing of it;
 * - closing answers what is in hand and takes nothing new.
 */
export interface HttpListeners extends AsyncDisposable {
  /** Answers requests to a path and to what lies below it, until it is given back. Of several routes the longest path wins. */
  listen(route: HttpRoute, at?: Partial<HttpPlace>): Promise<OpenRoute>;
  /** Where it is listened at now, and for which paths. */
  readonly places: readonly (HttpPlace & Pick<HttpRoute, 'path'>)[];
}
export interface HttpPlace {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
}
export interface OpenRoute extends AsyncDisposable {
  readonly host: string;
  /** The one that was taken, where any would do. */
  readonly port: number;
}

export interface HttpRoute {
  /** `/` for everything. */
  readonly path: string;
  readonly maxBytes: number;
  /** Most time an answer may take to be found; `Infinity` for none. That of the listeners when left out. */
  readonly answerMs?: number;
  /** Names by which this route may be addressed, besides those of the listeners. */
  readonly names?: readonly string[];
  /** Origins whose pages may call it; `*` for all. None when left out. */
  readonly origins?: readonly string[];
  /** Headers of answers that such a page may read. */
  readonly exposed?: readonly string[];
  /** Looks at a request before its body is read. An answer refuses it. */
  check?(head: HttpRequestHead): HttpAnswer | undefined;
  /** What is said with a refusal of the server's own; nothing when left out. */
  refuse?(refusal: HttpRefusal): HttpAnswer;
  answer(request: HttpRequest): Promise<HttpAnswer>;
}
export interface HttpRefusal {
  readonly status: number;
  readonly reason: 'bad_request' | 'foreign_name' | 'foreign_origin' | 'too_large' | 'failed' | 'late' | 'closing';
}
export interface HttpRequestHead {
  readonly method: string;
  /** As it was sent: nothing in it is decoded, and nothing needs to be. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}
export interface HttpRequest extends HttpRequestHead {
  readonly body: Buffer;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}
export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A whole answer, or the pieces of one that goes on. Where the next piece may be long in coming, its source ends with `signal`. */
  readonly body?: string | AsyncIterable<string>;
}

export interface HttpListenersOptions extends HttpPlace {
  /** Names by which it may be addressed, besides those of this machine: what a proxy in front of it is called. */
  readonly names: readonly string[];
  readonly log: (words: string) => void;
  /** What a person can do when a port cannot be had. */
  readonly advice: string;
  readonly times?: Partial<HttpTimes>;
}
export interface HttpTimes {
  /** For the headers of a request to arrive. */
  readonly headersMs: number;
  /** For a request to arrive as a whole. */
  readonly requestMs: number;
  /** For an answer to be found. */
  readonly answerMs: number;
  /** For a client to read something of a stream. */
  readonly stallMs: number;
  /** For requests in hand when the listener closes. */
  readonly drainMs: number;
}
export const HTTP_TIMES: HttpTimes = { headersMs: 10_000, requestMs: 60_000, answerMs: 30_000, stallMs: 60_000, drainMs: 5_000 };
