import { quoteShellWord } from '../../../../base/shell.ts';
import type { Call } from '../call/call.ts';
import { fromOutside, MARK } from '../values/marks.ts';
import { type NestedAction, toLineAction, type TextsOf, toCommandAction } from '../call/handed.ts';
import { listRecipes, findRecipes } from './makefiles.ts';
import { findPackageScripts } from './package-scripts.ts';
import { isAssignment } from './wrappers.ts';

/** `env -S 'a b' c` splits its value and goes on behind it; `-C` runs the rest elsewhere. */
export function findEnvCommands({ args, ...call }: Call, inner: (call: Call) => readonly NestedAction[]): NestedAction[] {
  const at = args.findIndex((word) => /^(?:-[a-zA-Z]*S|--split-string)/.test(word));
  const flag = args[at] ?? '';
  const value = /^(?:-[a-zA-Z]*S|--split-string=?)([^]*)$/.exec(flag)?.[1] ?? '';
  const split =
    at < 0 ? [] : [toLineAction([value === '' ? (args[at + 1] ?? '') : value, ...args.slice(at + (value === '' ? 2 : 1))].join(' '))];
  const folder = args.findIndex((word) => /^(?:-C|--chdir)$/.test(word));
  const cwd = folder < 0 ? args.flatMap((word) => /^--chdir=(.*)$/.exec(word)?.[1] ?? [])[0] : args[folder + 1];
  return [
    ...split,
    ...inner({ ...call, args }).map((each): NestedAction => (each.type === 'words' && cwd !== undefined ? { ...each, cwd } : each)),
  ];
}

export function findSourcedScript({ args, fed, piped }: Call, textsOf: TextsOf): NestedAction[] {
  const [file = '', ...positional] = args.filter((word) => word !== '--');
  const texts = file === '/dev/stdin' || file === '-' ? (piped || fed.length > 0 ? fed : []) : (textsOf(file) ?? []);
  return texts.map((text) => ({ type: 'line', line: fromOutside(text), apart: false, ...(positional.length > 0 && { positional }) }));
}

/** `:!cmd` and `:call system(…)` of an editor's commands. */
export function findEditorCommands({ args, fed }: Call, textsOf: TextsOf): NestedAction[] {
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
        ? [{ type: 'danger', reason: 'its editor commands run or write something', key: 'interpreter_code' } satisfies NestedAction]
        : []
      : [toLineAction(found)];
  });
}

/** Names with a subscript are evaluated, and with it what stands in the brackets. */
export const findEvaluatedSubscripts = ({ name, args }: Call): NestedAction[] =>
  /^(?:let|test|\[|unset|printf|read|wait|declare|typeset|local|export|read|mapfile)$/.test(name) &&
  args.some((word) => /\[[^\]]*(?:\$\(|`)/.test(word))
    ? [{ type: 'danger', reason: 'it hides a command in a subscript', key: 'hidden_code' }]
    : [];

/** Every recipe of a makefile. */
export const listMakefileRecipes = (makefile: string): NestedAction[] => listRecipes(makefile);

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
export const findImplicitScripts = ({ name }: Call, textsOf: TextsOf): string[] =>
  BY_NAME.flatMap(([tool, files]) => (tool.test(name) ? files : [])).flatMap((file) => textsOf(file) ?? []);
/** The recipes and package scripts a build tool is told to run. */
export function findBuildScripts(call: Call, textsOf: TextsOf): NestedAction[] {
  if (/^(?:g|b)?make$/.test(call.name)) return makeRecipes(call, textsOf);
  if (!/^(?:npm|yarn|pnpm|bun)$/.test(call.name)) return [];
  return (textsOf('package.json') ?? []).flatMap((text) => findPackageScripts(text, call.args));
}

function makeRecipes({ args }: Call, textsOf: TextsOf): NestedAction[] {
  const folder = args.find((_, index) => /^(?:-C|--directory)$/.test(args[index - 1] ?? ''));
  const files = ['Makefile', 'makefile', 'GNUmakefile', ...args].map((file) => (folder === undefined ? file : `${folder}/${file}`));
  const given = new Map(
    args.flatMap((word) => (isAssignment(word) ? [[word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]] : [])),
  );
  const goals = args.filter((word, index) => !/^-./.test(word) && !isAssignment(word) && !/^-[CfIojl]$/.test(args[index - 1] ?? ''));
  return files
    .flatMap((file) => textsOf(file) ?? [])
    .flatMap((text) => findRecipes(text, goals, given))
    .map((each) => (folder === undefined || each.type !== 'line' ? each : { ...each, line: `cd ${quoteShellWord(folder)}; ${each.line}` }));
}
/** Flags of container tools that stand alone; any other may take the next word. */
const ALONE = /^-(?:[itdPT]+|-(?:rm|interactive|tty|detach|privileged|init|no-deps|stdin|read-only|publish-all|no-TTY|quiet))$|=/;

/** What runs in a container: paths there are its own, but what is mounted or kept is the owner's. */
export function findContainerCommand({ name, args }: Call): NestedAction[] {
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
    !rest.some((word) => /^(?:-v|--volume|--mount|--volumes-from|--device|--privileged)/.test(word)) &&
    name !== 'docker-compose' &&
    !args.includes('compose')
  )
    return [];
  const dashes = rest.indexOf('--');
  if (dashes >= 0) return [{ type: 'words', words: rest.slice(dashes + 1), remote: true }];
  let start = 0;
  while (start < rest.length && (rest[start] ?? '').startsWith('-')) start += ALONE.test(rest[start] ?? '') ? 1 : 2;
  const command = rest.slice(start + 1);
  if (command.length === 0) return [];
  const here = outside(command, rest.slice(0, start));
  return [{ type: 'words', words: command, remote: true }, ...(here === undefined ? [] : [toCommandAction(here)])];
}

/** The same command by the paths of this machine, as far as it names what is mounted or a device of this machine. */
function outside(command: readonly string[], flags: readonly string[]): readonly string[] | undefined {
  const mounts = flags
    .flatMap((word, index) =>
      /^(?:-v|--volume|--mount)$/.test(flags[index - 1] ?? '') ? [word] : (/^(?:-v|--volume=|--mount=)(.+)$/.exec(word)?.[1] ?? []),
    )
    .flatMap((given) => {
      const from = /(?:source|src)=([^,]+)/.exec(given)?.[1] ?? given.split(':')[0] ?? '';
      const to = /(?:target|dst|destination)=([^,]+)/.exec(given)?.[1] ?? given.split(':')[1] ?? '';
      return /^[/~.]/.test(from) && to.startsWith('/') && to !== '/' ? [[from.replace(/\/$/, ''), to.replace(/\/$/, '')] as const] : [];
    });
  const shared = flags.some((word) => /^--(?:device|privileged)/.test(word)) && command.some((word) => word.includes('/dev/'));
  const moved = command.map((word) =>
    mounts.reduce((text, [from, to]) => text.replaceAll(new RegExp(`(?<![\\w./-])${RegExp.escape(to)}(?![\\w.-])`, 'g'), () => from), word),
  );
  return shared || moved.some((word, index) => word !== command[index]) ? moved : undefined;
}
