import { distance } from '../../base/text.ts';

/** Share of a name that must agree before a near miss is taken for what was meant. */
const LIKENESS = 0.7;

/** What some chat templates put before every tool. */
const NAMESPACE = /^(?:functions?|default_api|tools?)[.:]/;

/** The tool a model most likely meant, when it is plain; models decorate names in a few well-known ways. */
export function repairName(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return name;
  const plain = snake(name.split(/["'<>]/)[0] ?? '').replace(NAMESPACE, '');
  const bare = plain.replace(/(?:_?tool){1,2}$/, '');
  return [plain, bare].find((candidate) => known.includes(candidate)) ?? alike(bare, known);
}

const snake = (name: string): string =>
  name
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase();

function alike(name: string, known: readonly string[]): string | undefined {
  if (name.length < 3) return undefined;
  const scored = known.map((candidate) => ({
    candidate,
    likeness: 1 - distance(name, candidate) / Math.max(name.length, candidate.length),
  }));
  const best = scored.toSorted((a, b) => b.likeness - a.likeness)[0];
  return best !== undefined && best.likeness >= LIKENESS ? best.candidate : undefined;
}
