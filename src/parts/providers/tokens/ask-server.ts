import { parseJson } from '../../../base/json.ts';
import type { Failure } from '../../../contracts/failure.ts';
import { NO_USAGE, type Json } from '../../../contracts/message.ts';
import type { CallContext, EncodedRequest, ModelEvent } from '../../../contracts/provider.ts';
import { createProvider, type ProviderParts } from '../client.ts';
import type { WireFormat } from '../wire-format.ts';

export type FailedEvent = Extract<ModelEvent, { readonly type: 'failed' }>;

/** A call that came to nothing, with the event that says so. */
export class TokenCallError extends Error {
  readonly event: FailedEvent;

  constructor(failure: Failure, event: FailedEvent = { type: 'failed', failure }) {
    super(failure.detail);
    this.name = 'TokenCallError';
    this.event = event;
  }
}

/** The way to the server during one model call. */
export interface ServerLine {
  readonly model: string;
  /** Posts a body and reads the reply; what `read` refuses with a `SyntaxError` is a malformed reply. Throws a `TokenCallError`. */
  post<Reply>(path: string, body: string, read: (reply: Json) => Reply): Promise<Reply>;
}

/** Every question goes the way of a model call: the same key, clocks, stop and reading of refusals. */
export function openServerLine(parts: Omit<ProviderParts, 'formatOf'>, encoded: EncodedRequest, call: CallContext): ServerLine {
  const { runtime, adjust } = encoded.request;
  const request = {
    ...encoded.request,
    runtime: { ...runtime, baseUrl: toServerRoot(runtime.baseUrl) },
    adjust: { ...adjust, stream: false },
  };
  return {
    model: runtime.model,
    post: async (path, body, read) => {
      const replies: ReturnType<typeof read>[] = [];
      const format = createOneReply(path, (reply) => replies.push(read(reply)));
      const asked = { ...encoded, request, body, bytes: () => Buffer.from(body) };
      for await (const event of createProvider({ ...parts, formatOf: () => format }).stream(asked, call))
        if (event.type === 'failed') throw new TokenCallError(event.failure, event);
      const [reply] = replies;
      if (reply === undefined) throw new TokenCallError({ type: 'malformed', detail: `The server answered ${path} with nothing.` });
      return reply;
    },
  };
}

/** A wire whose answer is one document. */
function createOneReply(path: string, take: (reply: Json) => void): WireFormat {
  const whole: WireFormat['whole'] = (_request, body) => {
    const reply = parseJson(body);
    if (reply === undefined) throw new SyntaxError(`the answer to ${path} is not JSON: ${body.slice(0, 200)}`);
    take(reply);
    return [{ type: 'done', message: { role: 'assistant', content: [] }, usage: NO_USAGE, finish: 'stop' }];
  };
  return {
    path,
    headers: {},
    encode: () => {
      throw new Error('a question to a token server is encoded by its row');
    },
    // Nothing is asked for in pieces: a server that sends events all the same is none of these.
    fold: () => ({
      take: (_event, data) => {
        throw new SyntaxError(`${path} was answered in pieces: ${data.slice(0, 200)}`);
      },
      end: () => [],
      progress: () => ({ calls: 0, name: '', chars: 0, args: '' }),
      counted: () => NO_USAGE,
    }),
    whole,
  };
}

/** Paths of these servers stand beside `/v1`. */
export const toServerRoot = (baseUrl: string): string => baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
