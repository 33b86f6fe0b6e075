import { StoreError } from '../../../src/contracts/session-store.ts';

/** What goes wrong at a moment. */
export type Deed =
  /** The process is gone: nothing after this moment happens, and a new one starts on the same store. */
  | 'crash'
  /** The process that catches up dies as well, a few moments on. */
  | 'crash_twice'
  /** What is asked for fails: a full disk, a broken pipe, a face that goes away. */
  | 'error'
  /** What is asked for throws what no contract speaks of. */
  | 'defect'
  /** The user stops the turn. */
  | 'abort'
  /** The model for summaries fails; so do all that could stand in for it; it talks nonsense; it says nothing; it passes an order on; it never answers. */
  | 'refusal'
  | 'silence'
  | 'nonsense'
  | 'emptiness'
  | 'order'
  | 'hang';

const anywhere = (): boolean => true;
const asksForWords = (label: string): boolean => label === 'summariser before';

/** Which moments a deed is tried at, and every how many of them when there is little time. */
export const DEEDS: readonly { readonly deed: Deed; readonly suits: (label: string) => boolean; readonly every: number }[] = [
  { deed: 'crash', suits: anywhere, every: 1 },
  { deed: 'error', suits: anywhere, every: 1 },
  { deed: 'abort', suits: anywhere, every: 2 },
  { deed: 'crash_twice', suits: anywhere, every: 4 },
  { deed: 'defect', suits: (label) => !label.startsWith('event '), every: 4 },
  ...(['refusal', 'silence', 'nonsense', 'emptiness', 'order', 'hang'] as const).map((deed) => ({ deed, suits: asksForWords, every: 1 })),
];
/** How many moments later a second crash comes. */
const AGAIN_AFTER = 9;

/** One moment of the story at which the world may change. */
export interface Moment {
  readonly label: string;
  /** Between the gate that finds a request too large and the call that goes out after it. */
  readonly compacting: boolean;
}

/** One process. Whoever is dead never hears of anything again. */
export interface Life {
  readonly stop: AbortController;
  readonly over: PromiseWithResolvers<'dead'>;
  alive: boolean;
}
export const newLife = (): Life => ({ stop: new AbortController(), over: Promise.withResolvers(), alive: true });
export const never = (): Promise<never> => new Promise(() => undefined);

export interface Fault {
  readonly at: number;
  readonly deed: Deed;
}
/** Counts every moment of a story and lets one thing go wrong. */
export interface Moments {
  readonly passed: readonly Moment[];
  compacting: boolean;
  /** No model for summaries answers until the attempt is over. */
  mute: boolean;
  /** For what cannot wait: a death takes effect at the next moment that can. Gives the deed that is the caller's own affair. */
  pass(life: Life, label: string): Deed | undefined;
  reach(life: Life, label: string): Promise<Deed | undefined>;
}

export function momentsWith(fault: Fault | undefined): Moments {
  const passed: Moment[] = [];
  const due = (): Deed | undefined => {
    const since = passed.length - 1 - (fault?.at ?? Number.POSITIVE_INFINITY);
    return since === 0 || (since === AGAIN_AFTER && fault?.deed === 'crash_twice') ? fault?.deed : undefined;
  };
  const moments: Moments = {
    passed,
    compacting: false,
    mute: false,
    pass: (life, label) => {
      if (!life.alive) return undefined;
      passed.push({ label, compacting: moments.compacting });
      return happen(due(), life, label);
    },
    reach: async (life, label) => {
      const deed = moments.pass(life, label);
      return life.alive ? deed : never();
    },
  };
  return moments;
}

function happen(deed: Deed | undefined, life: Life, label: string): Deed | undefined {
  switch (deed) {
    case 'crash':
    case 'crash_twice':
      life.alive = false;
      life.over.resolve('dead');
      return undefined;
    case 'abort':
      life.stop.abort();
      return undefined;
    case 'error':
      throw label.startsWith('store ') ? new StoreError('io', `The disk gave no answer (${label}).`) : new Error(`broken pipe (${label})`);
    case 'defect':
      throw new TypeError(`a defect (${label})`);
    default:
      return deed;
  }
}
