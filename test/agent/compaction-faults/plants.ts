import type { CompressResult, ContextEngine } from '../../../src/contracts/context-engine.ts';
import { createTextBlock, type ToolMessage } from '../../../src/contracts/message.ts';
import type { SessionStore } from '../../../src/contracts/session-store.ts';
import type { Plant } from './world.ts';

/** A defect made on purpose, at which moment of the story the process dies besides, and the check that must see it. */
export interface Planted {
  readonly name: string;
  readonly plant: Plant;
  readonly crashAt?: string;
  readonly seen: RegExp;
}

export const PLANTS: readonly Planted[] = [
  {
    name: 'a span that parts a call from its result',
    plant: { engine: giving((done) => ({ ...done, toSeq: done.toSeq - 1 })) },
    seen: /parts no call from its result/,
  },
  {
    name: 'a summary without words',
    plant: { engine: giving((done) => ({ ...done, summary: { role: 'user', content: [] } })) },
    seen: /has a summary/,
  },
  {
    name: 'a span over everything that forgets what the user wants',
    plant: {
      engine: giving((done) => ({ ...done, fromSeq: 2, summary: { role: 'user', content: [createTextBlock('much was said', 'tool')] } })),
    },
    seen: /is in the request after entry/,
  },
  {
    name: 'a view that shows a compaction before it is committed',
    plant: { engine: hasty },
    seen: /the view stays/,
  },
  { name: 'a store that says more than it keeps', plant: { store: forgetful }, seen: /the log is what the commits added/ },
  { name: 'a deed that is said to be harmless', plant: { careless: true }, crashAt: 'deed after', seen: /did its deed 2 times/ },
];

/** An engine whose results are twisted before anybody sees them. */
function giving(twist: (done: Extract<CompressResult, { ok: true }>) => CompressResult): (engine: ContextEngine) => ContextEngine {
  return (engine) => ({
    ...engine,
    compress: async (ask) => {
      const compressed = await engine.compress(ask);
      return compressed.ok ? twist(compressed) : compressed;
    },
  });
}

const cut = (message: ToolMessage): ToolMessage => ({ ...message, content: [createTextBlock('long ago', 'tool')] });

/** Shortens what it shows by itself once it was asked to, and then gives nothing to commit. */
function hasty(engine: ContextEngine): ContextEngine {
  let short = false;
  return {
    ...engine,
    view: (entries) =>
      engine.view(entries).map((shown) => (short && shown.message.role === 'tool' ? { message: cut(shown.message) } : shown)),
    compress: async (ask) => {
      if (ask.reason === 'overflow') return engine.compress(ask);
      short = true;
      return { ok: false, why: 'nothing to say' };
    },
  };
}

function forgetful(store: SessionStore): SessionStore {
  return {
    ...store,
    commit: async (claim, change) => {
      const kept = change.append?.filter(({ type }) => type !== 'compaction') ?? [];
      const added = await store.commit(claim, { ...change, append: kept });
      const lost = change.append?.find(({ type }) => type === 'compaction');
      return lost === undefined ? added : [...added, { id: 'lost', sessionId: claim.sessionId, seq: 0, at: 0, ...lost }];
    },
  };
}
