import { lazy } from '../../base/lazy.ts';
import type { CallProgress, EncodedRequest, ModelEvent, ModelRequest, Protocol } from '../../contracts/provider.ts';
import type { Usage } from '../../contracts/message.ts';
import type { ProtocolId, Runtime } from '../../contracts/runtime.ts';
import type { ProviderProfile, ProviderQuirks } from '../../contracts/provider-profile.ts';
import { anthropicMessages } from './protocols/anthropic-messages.ts';
import { openaiChat } from './protocols/openai-chat.ts';
import { openaiResponses } from './protocols/openai-responses.ts';
import { resolveQuirks } from './quirks.ts';

/** A protocol with its frame and state types kept inside, so that one client drives all of them. */
export interface WireFormat {
  readonly path: string;
  /** Headers that belong to the wire rather than to the key. */
  readonly headers: Readonly<Record<string, string>>;
  encode(request: ModelRequest): EncodedRequest;
  fold(request: ModelRequest, estimate: number): ReplyFold;
  whole(request: ModelRequest, body: string, estimate: number): readonly ModelEvent[];
}
export interface ReplyFold {
  /** Throws on a frame that is not this wire's. */
  take(event: string | undefined, data: string): readonly ModelEvent[];
  end(): readonly ModelEvent[];
  progress(): CallProgress;
  counted(): Usage;
}

export function createWireFormat<Frame, State>(protocol: Protocol<Frame, State>, headers: WireFormat['headers'] = {}): WireFormat {
  return {
    path: protocol.path,
    headers,
    encode: (request) => {
      const encoded = protocol.encode(request);
      return {
        request,
        body: encoded.body,
        bytes: lazy(() => Buffer.from(encoded.body)),
        get segments() {
          return encoded.segments;
        },
      };
    },
    fold: (request, estimate) => folding(protocol, protocol.begin(request, estimate)),
    whole: (request, body, estimate) => protocol.whole(request, body, estimate),
  };
}

function folding<Frame, State>(protocol: Protocol<Frame, State>, first: State): ReplyFold {
  let state = first;
  return {
    take: (event, data) => {
      const frame = protocol.parse(event, data);
      if (frame === undefined) return [];
      const [next, events] = protocol.step(state, frame);
      state = next;
      return events;
    },
    end: () => protocol.end(state),
    progress: () => protocol.progress(state),
    counted: () => protocol.counted(state),
  };
}

const FORMATS: Readonly<Record<ProtocolId, (quirks: ProviderQuirks) => WireFormat>> = {
  'openai-chat': (quirks) => createWireFormat(openaiChat(quirks)),
  'openai-responses': (quirks) => createWireFormat(openaiResponses(quirks)),
  'anthropic-messages': (quirks) => createWireFormat(anthropicMessages(quirks), { 'anthropic-version': '2023-06-01' }),
};

/** The wire format of a route with its quirks. Kept per route, because it remembers what it has encoded. */
export function createWireFormats(profileOf: (provider: string) => ProviderProfile | undefined): (runtime: Runtime) => WireFormat {
  const known = new Map<string, WireFormat>();
  return ({ protocol, provider, model }) => {
    const key = JSON.stringify([protocol, provider, model]);
    const format = known.get(key) ?? FORMATS[protocol](resolveQuirks(provider, model, profileOf(provider)));
    known.set(key, format);
    return format;
  };
}
