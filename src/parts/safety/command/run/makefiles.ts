import { MARK } from '../values/marks.ts';
import { type NestedAction, toLineAction } from '../call/handed.ts';

/** One rule of a makefile: what it makes, what that needs, and its recipe. */
interface MakeRule {
  readonly targets: readonly string[];
  readonly needs: readonly string[];
  readonly recipe: string[];
}
interface Makefile {
  readonly rules: readonly MakeRule[];
  readonly values: ReadonlyMap<string, string>;
  /** Commands that run while it is read. */
  readonly shells: readonly string[];
}

const ASSIGNMENT = /^(?:export\s+|override\s+)*([\w.-]+)\s*(?:::?|\?|\+|!)?=\s*(.*)$/;
const HEADER = /^([^\s#:=][^:=]*)::?(?!=)([^;=]*)(?:;(.*))?$/;
/** Names make gives a value by itself. */
const GIVEN: Readonly<Record<string, string>> = { MAKE: 'make', RM: 'rm -f', CC: 'cc', CXX: 'c++', CURDIR: '$PWD', HOME: '~' };
const DEEPEST = 6;

/** The recipes that making these goals runs, those of what they need among them; without goals, those of the first rule. */
export function findRecipes(text: string, goals: readonly string[], given: ReadonlyMap<string, string>): NestedAction[] {
  const file = read(text, given);
  const wanted = neededBy(file, goals);
  const recipes = wanted.flatMap(({ recipe, targets }) =>
    recipe.map((each) => [expand(each, file.values, targets[0]), targets[0]] as const),
  );
  return [
    ...file.shells.map((each) => toLineAction(expand(each, file.values))),
    ...recipes.map(([each, made = '']): NestedAction => ({ type: 'line', line: each, apart: true, zero: `make ${made}` })),
  ].slice(0, 200);
}

/** Every recipe, whoever makes it. */
export const listRecipes = (text: string): NestedAction[] => {
  const file = read(text, new Map());
  return [...file.shells, ...file.rules.flatMap(({ recipe }) => recipe)]
    .slice(0, 200)
    .map((each) => toLineAction(expand(each, file.values)));
};

function read(text: string, given: ReadonlyMap<string, string>): Makefile {
  const [rules, values, shells]: [MakeRule[], Map<string, string>, string[]] = [[], new Map(), []];
  for (const each of text.replaceAll(/\\\n[ \t]*/g, ' ').split('\n')) {
    if (each.startsWith('\t')) {
      rules.at(-1)?.recipe.push(bare(each));
      continue;
    }
    const [, name, value = ''] = ASSIGNMENT.exec(each) ?? [];
    if (name !== undefined) values.set(name, each.includes('+=') ? `${values.get(name) ?? ''} ${value}` : value);
    if (/^[\w.-]+\s*!=/.test(each)) shells.push(value);
    shells.push(...[...each.matchAll(/\$\(shell ([^]*?)\)(?=[\s)]|$)/g)].map((found) => found[1] ?? ''));
    const [, targets, needs = '', inline] = name === undefined ? (HEADER.exec(each) ?? []) : [];
    if (targets !== undefined)
      rules.push({ targets: list(targets), needs: list(needs), recipe: inline === undefined ? [] : [bare(inline)] });
  }
  return { rules, values: new Map([...values, ...given]), shells };
}
const bare = (recipe: string): string => recipe.replace(/^[\s@+-]*/, '');
const list = (text: string): string[] =>
  text
    .trim()
    .split(/\s+/)
    .filter((each) => each !== '' && each !== '|');

function neededBy({ rules, values }: Makefile, goals: readonly string[]): readonly MakeRule[] {
  const named = rules.map((rule) => ({
    rule,
    targets: rule.targets.flatMap((each) => list(expand(each, values))),
    needs: rule.needs.flatMap((each) => list(expand(each, values))),
  }));
  const first = named.find(({ targets }) => targets.some((each) => !/^\.[A-Z]/.test(each) && !each.includes('%')))?.targets ?? [];
  const open = goals.length > 0 ? [...goals] : first.slice(0, 1);
  if (!open.some((goal) => named.some(({ targets }) => targets.includes(goal)))) return rules;
  const wanted = new Set<string>();
  for (let goal = open.pop(); goal !== undefined && wanted.size < 500; goal = open.pop()) {
    if (wanted.has(goal)) continue;
    wanted.add(goal);
    for (const { targets, needs } of named) if (targets.includes(goal)) open.push(...needs);
  }
  return named.filter(({ targets }) => targets.some((each) => wanted.has(each) || each.includes('%'))).map(({ rule }) => rule);
}

/** Make's own names filled in; what the shell is to fill in stays, and what only make can tell is unknown. */
function expand(text: string, values: ReadonlyMap<string, string>, target = '', depth = 0): string {
  if (depth > DEEPEST || text.length > 20_000) return MARK.unknown;
  return text.replaceAll(/\$(?:(\$)|\(([^()]*(?:\([^()]*\)[^()]*)*)\)|\{([^{}]*)\}|(.))/g, (_whole, dollar, round, curly, short) => {
    if (dollar !== undefined) return '$';
    const name = String(round ?? curly ?? short ?? '').trim();
    if (/^@[DF]?$/.test(name)) return target === '' ? MARK.name : target;
    if (/^[<^+?*|%][DF]?$/.test(name)) return MARK.name;
    const own = values.get(name) ?? (Object.hasOwn(GIVEN, name) ? GIVEN[name] : undefined);
    if (own !== undefined) return expand(own, values, target, depth + 1);
    const [, verb, rest = ''] = /^([a-z-]+)\s+([^]*)$/.exec(name) ?? [];
    if (verb === 'shell') return `$(${expand(rest, values, target, depth + 1)})`;
    if (verb === 'wildcard') return expand(rest, values, target, depth + 1);
    return /^\w+$/.test(name) ? `\${${name}}` : MARK.unknown;
  });
}
