import { editDistance } from '../../base/text.ts';
import type { Recovery } from '../deps.ts';

/** Names told at most. */
const MAX_NAMES = 3;

/** A model that its server does not have cannot be asked. The nearest that it does have are named, for a slip of the pen is the usual reason. */
export const nameModels: Recovery = {
  name: 'name_models',
  cures: ['model_not_found'],
  apply: async ({ runtime }, { routes, signal }) => {
    const listed = (await routes.models?.(runtime, signal)) ?? [];
    if (listed.length === 0) return undefined;
    if (listed.includes(runtime.model)) return { closed: `The server lists ${runtime.model}, but does not answer for it.` };
    const near = findNearest(runtime.model, listed);
    const rest = listed.length > near.length ? ` and ${listed.length - near.length} more (hermes model --list)` : '';
    return { closed: `The server has no model ${runtime.model}. Nearest: ${near.join(', ')}${rest}.` };
  },
};

function findNearest(wanted: string, listed: readonly string[]): readonly string[] {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const distance = (name: string): number => {
    const [one, other] = [plain(wanted), plain(name)];
    // A vendor in front, or a date behind.
    if (one !== '' && (other.includes(one) || one.includes(other))) return Math.abs(one.length - other.length) / 100;
    return editDistance(one, other);
  };
  return [...listed].toSorted((one, other) => distance(one) - distance(other)).slice(0, MAX_NAMES);
}
