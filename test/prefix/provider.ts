import { setImmediate as nextLap } from 'node:timers/promises';
import type { ModelRequest, Provider } from '../../src/contracts/provider.ts';
import type { Entry } from '../../src/contracts/entry.ts';
import { findProviderProfile } from '../../src/parts/providers/catalog/all.ts';
import { createWireFormats } from '../../src/parts/providers/wire-format.ts';
import { scriptedProvider, type ScriptedAnswer } from '../../src/testing/scripted-provider.ts';
import { withNatives } from '../agent/invariants/story.ts';
import { inAll, type Call } from './rule.ts';

/** Something wrong on purpose, to see that it is found. `call` counts the calls of the session. */
export interface Defect {
  request?(request: ModelRequest, call: number): ModelRequest;
  body?(body: string, call: number): string;
}

interface Seat {
  /** Every request that leaves is added here. */
  readonly calls: Call[];
  readonly defect: Defect;
  /** The log as the agent has it. */
  log(): readonly Entry[];
  line(): ScriptedAnswer;
  /** What happens meanwhile; may never come back. */
  during(): Promise<void>;
}

/** The real encoders of one process, with a model behind them that says what it is told. */
export function talkingProvider({ calls, defect, log, line, during }: Seat): Provider {
  const formatOf = createWireFormats(findProviderProfile);
  const wired: Provider['encode'] = (request) => {
    const plain = formatOf(request.runtime).encode(request);
    const body = defect.body?.(plain.body, calls.length) ?? plain.body;
    return body === plain.body ? plain : { request, segments: plain.segments, body, bytes: () => Buffer.from(body) };
  };
  return {
    encode: (request) => wired(defect.request?.(request, calls.length) ?? request),
    async *stream(encoded, context) {
      const { request, body } = encoded;
      const { runtime, adjust, toolUse, cacheTtl } = request;
      const bodies = { ...inAll(request, (each) => wired(each).body), [runtime.protocol]: body };
      calls.push({ entries: log(), ask: { runtime, adjust, toolUse, cacheTtl }, bodies });
      await during();
      const said = line();
      // Timers get their turn too: without this an endless turn could not even be found out.
      await nextLap();
      for await (const event of scriptedProvider([said]).stream(encoded, context)) {
        yield event.type === 'done' ? { ...event, message: withNatives(event.message, runtime) } : event;
      }
    },
  };
}
