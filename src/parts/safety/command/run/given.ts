import type { Call } from './call.ts';
import { MARK } from '../values/marks.ts';
import { type Handed, line, type TextsOf } from './handed.ts';

/** `env -S 'a b' c` splits its value and goes on behind it; `-C` runs the rest elsewhere. */
export function environment({ args, ...call }: Call, inner: (call: Call) => readonly Handed[]): Handed[] {
  const at = args.findIndex((word) => /^(?:-[a-zA-Z]*S|--split-string)/.test(word));
  const flag = args[at] ?? '';
  const value = /^(?:-[a-zA-Z]*S|--split-string=?)([^]*)$/.exec(flag)?.[1] ?? '';
  const split = at < 0 ? [] : [line([value === '' ? (args[at + 1] ?? '') : value, ...args.slice(at + (value === '' ? 2 : 1))].join(' '))];
  const folder = args.findIndex((word) => /^(?:-C|--chdir)$/.test(word));
  const cwd = folder < 0 ? args.flatMap((word) => /^--chdir=(.*)$/.exec(word)?.[1] ?? [])[0] : args[folder + 1];
  return [
    ...split,
    ...inner({ ...call, args }).map((each): Handed => (each.type === 'words' && cwd !== undefined ? { ...each, cwd } : each)),
  ];
}

export function sourced({ args, fed, piped }: Call, textsOf: TextsOf): Handed[] {
  const [file = '', ...positional] = args.filter((word) => word !== '--');
  const texts = file === '/dev/stdin' || file === '-' ? (piped || fed.length > 0 ? fed : []) : (textsOf(file) ?? []);
  return texts.map((text) => ({ type: 'line', line: text, apart: false, ...(positional.length > 0 && { positional }) }));
}

/** `:!cmd` and `:call system(…)` of an editor's commands. */
export function editor({ args, fed }: Call, textsOf: TextsOf): Handed[] {
  const given = [
    ...args.flatMap((word, index) =>
      /^-[a-zA-Z]*[sS]$/.test(word) && textsOf(args[index + 1] ?? '') !== undefined
        ? (textsOf(args[index + 1] ?? '') ?? []).flatMap((text) => text.split('\n'))
        : /^(?:-[a-zA-Z]*c|--cmd|-S)$/.test(word)
          ? [args[index + 1] ?? '']
          : word.startsWith('+')
            ? [word.slice(1)]
            : [],
    ),
    ...fed.flatMap((text) => text.split('\n')),
  ];
  return given.flatMap((text) => {
    const found = /^[:\s]*(?:[%\d,$.]*|silent!?\s*|exe(?:cute)?\s*["']?|w(?:rite)?\s*|r(?:ead)?\s*)*!\s*([^]+)$/.exec(text)?.[1];
    return found === undefined
      ? text.includes(MARK.unknown) ||
        /system\s*\(|libcall|writefile|delete\s*\(|^[:\s]*so(?:u|ur|urc|urce)?!?\s+\w+:\/\/|\b(?:py3?|python3?|lua|ruby|perl|tcl)\s+\S|job_?start|termopen|os\.execute/.test(
          text,
        )
        ? [{ type: 'danger', reason: 'its editor commands run or write something', key: 'interpreter_code' } satisfies Handed]
        : []
      : [line(found)];
  });
}

/** Names with a subscript are evaluated, and with it what stands in the brackets. */
export const subscripts = ({ name, args }: Call): Handed[] =>
  /^(?:let|test|\[|unset|printf|read|wait|declare|typeset|local|export|read|mapfile)$/.test(name) &&
  args.some((word) => /\[[^\]]*(?:\$\(|`)/.test(word))
    ? [{ type: 'danger', reason: 'it hides a command in a subscript', key: 'hidden_code' }]
    : [];

/** Recipes of a makefile and scripts of a package that this very line wrote. */
export function recipes(makefile: string): Handed[] {
  return makefile.split('\n').flatMap((each) => {
    const recipe = /^\t[@-]*([^]*)$/.exec(each)?.[1] ?? /^[^\s#=;][^=;]*:[^=;]*;\s*[@-]*([^]+)$/.exec(each)?.[1];
    const shells = [...each.matchAll(/\$\(shell ([^]*?)\)(?=\s|$)|^\w+\s*!=\s*([^]+)$/g)].map((found) => found[1] ?? found[2] ?? '');
    return [...(recipe === undefined ? [] : [recipe]), ...shells].map((text) =>
      line(text.replaceAll('$$', '$').replaceAll(/\$[({]HOME[)}]/g, '~')),
    );
  });
}
/** Files that tools run by themselves because of their name. */
const BY_NAME: readonly (readonly [tool: RegExp, files: readonly string[]])[] = [
  [/^(?:pytest|py\.test|tox|nox)$/, ['conftest.py', 'noxfile.py', 'tests/conftest.py', 'test/conftest.py']],
  [/^(?:pip\d?|uv|python[\d.]*|poetry)$/, ['setup.py', 'sitecustomize.py', 'usercustomize.py']],
  [
    /^(?:jest|vitest|vite|webpack|eslint|rollup|babel|gulp|grunt|prettier|tailwindcss|postcss|npx|npm|yarn|pnpm)$/,
    ['vite', 'vitest', 'jest', 'webpack', 'eslint', 'rollup', 'babel', 'postcss', 'tailwind']
      .flatMap((tool) => ['js', 'ts', 'mjs', 'cjs'].map((ending) => `${tool}.config.${ending}`))
      .concat('gulpfile.js', 'Gruntfile.js'),
  ],
  [/^(?:rake|bundle|rails)$/, ['Rakefile', 'Gemfile']],
  [/^cargo$/, ['build.rs']],
];
export const runByName = ({ name }: Call, textsOf: TextsOf): string[] =>
  BY_NAME.flatMap(([tool, files]) => (tool.test(name) ? files : [])).flatMap((file) => textsOf(file) ?? []);
export function scripts({ name, args }: Call, textsOf: TextsOf): Handed[] {
  const files =
    name === 'make' ? ['Makefile', 'makefile', 'GNUmakefile', ...args] : /^(?:npm|yarn|pnpm|bun)$/.test(name) ? ['package.json'] : [];
  return files.flatMap((file) => textsOf(file) ?? []).flatMap((text) => (name === 'make' ? recipes(text) : packageScripts(text)));
}
const packageScripts = (text: string): Handed[] =>
  [...text.slice(Math.max(0, text.indexOf('"scripts"'))).matchAll(/:\s*"((?:\\.|[^"\\]){1,2000})"/g)]
    .slice(0, 40)
    .map((found) => line((found[1] ?? '').replaceAll('\\"', '"')));

/** Flags of container tools that stand alone; any other may take the next word. */
const ALONE = /^-(?:[itdPT]+|-(?:rm|interactive|tty|detach|privileged|init|no-deps|stdin|read-only|publish-all|no-TTY|quiet))$|=/;

/** What runs in a container: paths there are its own, but what is mounted or kept is the owner's. */
export function inContainer({ name, args }: Call): Handed[] {
  const at = args.findIndex(
    (word, index) =>
      /^(?:exec|run)$/.test(word) &&
      args
        .slice(0, index)
        .every((before) => /^-|^compose$|^container$/.test(before) || (args[args.indexOf(before) - 1] ?? '').startsWith('-')),
  );
  if (at < 0) return [];
  const rest = args.slice(at + 1);
  if (
    args[at] === 'run' &&
    !rest.some((word) => /^(?:-v|--volume|--mount|--volumes-from)/.test(word)) &&
    name !== 'docker-compose' &&
    !args.includes('compose')
  )
    return [];
  const dashes = rest.indexOf('--');
  if (dashes >= 0) return [{ type: 'words', words: rest.slice(dashes + 1), remote: true }];
  let start = 0;
  while (start < rest.length && (rest[start] ?? '').startsWith('-')) start += ALONE.test(rest[start] ?? '') ? 1 : 2;
  const command = rest.slice(start + 1);
  return command.length === 0 ? [] : [{ type: 'words', words: command, remote: true }];
}
