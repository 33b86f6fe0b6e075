import { setImmediate as nextLap } from 'node:timers/promises';
import { toStableJson } from '../../../src/base/json.ts';
import type { ToolDetails } from '../../../src/contracts/details.ts';
import { createTextBlock, type ImageBlock, type Json, type TextBlock } from '../../../src/contracts/message.ts';
import type { RequiredConsent } from '../../../src/contracts/consent.ts';
import { ToolFailure, type AnyTool, type ToolContext, type ToolOutput } from '../../../src/contracts/tool.ts';
import type { Effects } from '../../../src/contracts/effects.ts';
import type { SeededRandom } from '../../../src/testing/seeded-random.ts';
import { testTool } from '../setup.ts';

/** What a story wants to know of its tools. */
export interface ToolWatch {
  /** The first thing a tool does; may never come back when the process is to die here. */
  started(context: ToolContext, replay: 'safe' | 'never'): Promise<void>;
  ended(): Promise<void>;
  /** What a call is said to have done. */
  details?(callId: string): ToolDetails | undefined;
}

const read = (resource: string) => (): Effects => ({ kind: 'read', resources: [resource] });
const write = (resource: string) => (): Effects => ({ kind: 'write', resources: [resource] });

/** Five tools of every kind; what a call does depends on the story and the id of the call alone. */
export function randomTools(chance: SeededRandom, watch: ToolWatch): readonly AnyTool[] {
  const make = (name: string, replay: 'safe' | 'never', effects: (input: unknown) => Effects, deeds: Deeds, idempotent = false) =>
    testTool(name, (_input, context) => perform(chance.fork(`${name} ${context.callId}`), deeds, context, replay, watch), {
      replay,
      effects,
      idempotent,
      maxResult: 4_000,
      timeoutMs: 0,
      asks: async (input) => objection(chance.fork(`consent ${name} ${toStableJson(toJson(input))}`).hits(ASKED[replay]), name, input),
    });
  return [
    make('look', 'safe', read('path:/a'), { ...STEADY, same: 6 }, true),
    make('write', 'never', write('path:/a/b'), STEADY),
    make('flaky', 'never', write('path:/c'), { ...STEADY, refuses: 4, throws: 3, throws_at_once: 2 }),
    make('bulk', 'safe', read('*'), { ...STEADY, huge: 4, image: 2 }),
    make('bomb', 'never', (input) => (hasDepth(input) ? explode() : write('path:/d')()), STEADY),
  ];
}

/** How many calls need consent: those that change the world more often. */
const ASKED = { never: 0.4, safe: 0.1 };
function objection(needed: boolean, tool: string, input: unknown): RequiredConsent | undefined {
  const action = { tool, summary: toStableJson(toJson(input)), reason: 'the story wants it' };
  return needed ? { action, refusal: (why) => `Not run: ${why}` } : undefined;
}
const toJson = (input: unknown): Json => JSON.parse(JSON.stringify(input));

const STEADY = { words: 4, same: 1, blank: 1, reports: 2, slow: 2, refuses: 1, throws: 1, throws_at_once: 0, huge: 0, image: 1 } as const;
type Deed = keyof typeof STEADY;
type Deeds = Readonly<Record<Deed, number>>;

/** Not async itself, so that a tool can also fail before it has given a promise. */
function perform(
  chance: SeededRandom,
  deeds: Deeds,
  context: ToolContext,
  replay: 'safe' | 'never',
  watch: ToolWatch,
): Promise<ToolOutput> {
  const deed = chance.weighed(deeds);
  if (deed === 'throws_at_once') throw new TypeError('no promise was made');
  return (async () => {
    await watch.started(context, replay);
    for (let lap = chance.int(0, 3); lap > 0 && !context.signal.aborted; lap--) await nextLap();
    const output = await DEEDS[deed](chance, context);
    await watch.ended();
    const details = watch.details?.(context.callId);
    return details === undefined ? output : { ...output, details };
  })();
}

const gives = (...content: (TextBlock | ImageBlock)[]): ToolOutput => ({ content });
const DEEDS: Readonly<Record<Deed, (chance: SeededRandom, context: ToolContext) => ToolOutput | Promise<ToolOutput>>> = {
  words: (chance) => gives(createTextBlock(`result ${chance.int(0, 1_000_000)}`, 'tool')),
  same: () => gives(createTextBlock('always the same', 'tool')),
  blank: () => gives(),
  reports: (_chance, context) => {
    context.report('half way');
    context.report(' there\nand on', 'child-1');
    return gives(createTextBlock('reported', 'tool'));
  },
  slow: async () => {
    for (let lap = 0; lap < 5; lap++) await nextLap();
    return gives(createTextBlock('at last', 'tool'));
  },
  refuses: (chance) => {
    throw new ToolFailure(`refused ${chance.int(0, 2)}`);
  },
  throws: () => {
    throw new Error('disk full\0');
  },
  throws_at_once: () => gives(),
  huge: (chance) => gives(createTextBlock('0123456789 漢字\n'.repeat(chance.int(200, 600)), 'tool')),
  image: () => gives(createTextBlock('a picture', 'tool'), { type: 'image', mime: 'image/png', data: 'AAAA', trust: 'tool' }),
};

const hasDepth = (input: unknown): boolean => typeof input === 'object' && input !== null && 'depth' in input;
function explode(): never {
  throw new TypeError('effects of unforeseen arguments');
}
