import type { Entry } from '../../contracts/entry.ts';
import type { Failure } from '../../contracts/failure.ts';
import { OUTPUT_ROOM } from '../bounds.ts';
import { holdsSignatures } from '../signatures.ts';
import { SIGNATURES_LEFT_OUT } from '../words.ts';
import type { Recovery } from '../deps.ts';

/** Recoveries that ask the same route the same thing in a way it accepts. Each is a row: what it cures, what it changes. */

export const stripImages: Recovery = {
  name: 'strip_images',
  cures: ['image_refused', 'tool_content_refused', 'payload_too_large'],
  apply: ({ adjust }, deps) =>
    adjust.images && deps.journal.entries.some(holdsImage) ? { adjust: { ...adjust, images: false } } : undefined,
};

const holdsImage = (entry: Entry): boolean => entry.type === 'message' && entry.message.content.some((block) => block.type === 'image');

/** Stands in the log, so that later turns are not refused for the same signatures. */
export const stripSignatures: Recovery = {
  name: 'strip_signatures',
  cures: ['bad_signature'],
  apply: (_state, { journal }) =>
    holdsSignatures(journal.entries)
      ? { append: [{ type: 'note', origin: 'system', text: SIGNATURES_LEFT_OUT, signatures: 'refused' }] }
      : undefined,
};

/** Remembered for the route, like the next: what it cannot take is asked only once. */
export const plainSchemas: Recovery = {
  name: 'plain_schemas',
  cures: ['schema_refused'],
  apply: async ({ adjust, runtime }, deps) => {
    if (adjust.plainSchemas) return undefined;
    await deps.routes.learn(runtime, { plainSchemas: true });
    return { adjust: { ...adjust, plainSchemas: true } };
  },
};

/** Remembered for the route, so that it is asked only once ever. */
export const unstream: Recovery = {
  name: 'unstream',
  cures: ['streaming_refused'],
  apply: async ({ adjust, runtime }, deps) => {
    if (!adjust.stream) return undefined;
    await deps.routes.learn(runtime, { stream: false });
    return { adjust: { ...adjust, stream: false } };
  },
};

export const dropParameter: Recovery = {
  name: 'drop_parameter',
  cures: ['parameter_refused'],
  apply: async ({ failure, adjust, runtime }, deps) => {
    const parameter = failure.type === 'parameter_refused' ? failure.parameter : undefined;
    if (parameter === undefined || adjust.without.includes(parameter)) return undefined;
    const without = [...adjust.without, parameter];
    await deps.routes.learn(runtime, { without });
    return { adjust: { ...adjust, without } };
  },
};

/** The provider has said how many tokens it would give: ask for a little less than that. Where the prompt has left too few, it must become smaller instead. */
export const capOutput: Recovery = {
  name: 'cap_output',
  cures: ['output_cap'],
  apply: ({ failure, adjust, runtime }) => {
    if (failure.type !== 'output_cap' || isCrowdedOut(failure)) return undefined;
    const asked = adjust.maxOutput ?? runtime.limits.maxOutput ?? OUTPUT_ROOM.baseTokens;
    // A limit that was not named is felt for: half of what was too much.
    const { available = Math.floor(asked / 2) } = failure;
    return { adjust: { ...adjust, maxOutput: Math.max(available - MARGIN, Math.ceil(available / 2)) } };
  },
};
/** Our own count of the prompt may be a little lower than the provider's. */
const MARGIN = 64;

/** The prompt takes so much of the window that an answer would be a stub. */
export const isCrowdedOut = (failure: Failure): failure is Failure & { readonly type: 'output_cap'; readonly limit: number } =>
  failure.type === 'output_cap' &&
  failure.limit !== undefined &&
  (failure.available ?? 0) < Math.min(OUTPUT_ROOM.leastTokens, failure.limit / 8);

/** Twice the room with every try, up to the cap. */
export const raiseOutputLimit = (maxOutput: number | undefined, used: number): number =>
  Math.max(
    maxOutput ?? 0,
    Math.min((maxOutput ?? OUTPUT_ROOM.baseTokens) * 2 ** (used + 1), Math.max(OUTPUT_ROOM.capTokens, maxOutput ?? 0)),
  );
