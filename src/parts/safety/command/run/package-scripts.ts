import { type NestedAction, toLineAction } from '../call/handed.ts';

/** Verbs behind which the name of a script stands, and those that are one. */
const RUNS = /^(?:run|run-script|rum|urn)$/;
const SHORT: Readonly<Record<string, string>> = { t: 'test', tst: 'test', start: 'start', stop: 'stop', restart: 'restart', test: 'test' };
/** What package tools run by themselves when they fill the project. */
const BY_ITSELF = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
const FILLS = /^(?:i|in|install|ci|add|update|up|rebuild|clean-install|link|pack|publish|it|install-test)$/;

/** The scripts of a package that this call runs, with those before and behind them. */
export function findPackageScripts(text: string, args: readonly string[]): NestedAction[] {
  const scripts = scriptsIn(text);
  if (scripts === undefined) return loose(text);
  const words = args.filter((word) => !/^-./.test(word));
  const [verb = 'install', next] = words;
  const name = RUNS.test(verb) ? next : (SHORT[verb] ?? verb);
  const wanted = FILLS.test(verb) ? BY_ITSELF : name === undefined ? [] : [`pre${name}`, name, `post${name}`];
  return wanted.flatMap((each) => {
    const script = scripts.get(each);
    return script === undefined ? [] : [{ type: 'line', line: script, apart: true, zero: `npm ${each}` } satisfies NestedAction];
  });
}

/** `npm pkg set scripts.test='…'`: the package as it is afterwards, or nothing when it sets no script. */
export function withScripts(text: string | undefined, args: readonly string[]): string | undefined {
  const set = args.flatMap((word) => {
    const [, name, value] = /^scripts[.[]["']?([\w:.-]+?)["']?\]?=([^]*)$/.exec(word) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  if (set.length === 0) return undefined;
  return JSON.stringify({ scripts: Object.fromEntries([...(scriptsIn(text ?? '{}') ?? []), ...set]) });
}

function scriptsIn(text: string): ReadonlyMap<string, string> | undefined {
  try {
    const whole: unknown = JSON.parse(text);
    const scripts = typeof whole === 'object' && whole !== null && 'scripts' in whole ? whole.scripts : {};
    if (typeof scripts !== 'object' || scripts === null) return undefined;
    return new Map(Object.entries(scripts).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])));
  } catch {
    return undefined;
  }
}

/** Whatever looks like a script in a text that is no package. */
const loose = (text: string): NestedAction[] =>
  [...text.slice(Math.max(0, text.indexOf('"scripts"'))).matchAll(/:\s*"((?:\\.|[^"\\]){1,2000})"/g)]
    .slice(0, 40)
    .map((found) => toLineAction((found[1] ?? '').replaceAll('\\"', '"')));
