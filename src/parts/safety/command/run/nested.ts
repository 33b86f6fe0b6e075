import { findRow, toRows } from '../../../../base/word-tables.ts';
import { fromOutside } from '../values/marks.ts';
import { type Call, type FindNestedActions, type NestedAction, type TextsOf, toCommandAction, toLineAction } from '../call/call.ts';
import { findXargsCommands } from './xargs.ts';
import { findFdCommands, findFindCommands } from './find.ts';
import { takeFlagCommand, findFedLines, joinOperands, SHELL, findShellScripts } from './shell-scripts.ts';
import { takesLine, unwrapCommand } from './wrappers.ts';

const operandsOf = (args: readonly string[]): string[] => args.filter((word) => !/^-./.test(word));

/** Programs that hand on in a way of their own. */
const PROGRAMS: Readonly<Record<string, FindNestedActions>> = {
  eval: ({ args }) => (args.length === 0 ? [] : [toLineAction((args[0] === '--' ? args.slice(1) : args).join(' '), false)]),
  ...toRows('source .', findSourcedScript),
  trap: ({ args }) => (operandsOf(args).length < 2 ? [] : [toLineAction(operandsOf(args)[0] ?? '', false)]),
  alias: ({ args }) => args.flatMap((word) => (word.includes('=') ? [toLineAction(word.slice(word.indexOf('=') + 1))] : [])),
  su: takeFlagCommand('-c', '--command', '--session-command'),
  runuser: takeFlagCommand('-c', '--command'),
  script: takeFlagCommand('-c', '--command', '-qc', '-qec', '-ec', '-qefc'),
  // Its line is its last word; any other `-c` is one of the program it runs.
  flock: (call, textsOf) => [...takeFlagCommand('-c', '--command')({ ...call, args: call.args.slice(-2) }, textsOf), ...wrappedWords(call)],
  env: findEnvCommands,
  ...toRows('find gfind', findFindCommands),
  ...toRows('fd fdfind', findFdCommands),
  ...toRows('xargs gxargs', findXargsCommands),
  git: findGitCommands,
  ...toRows('docker podman nerdctl docker-compose kubectl oc', findContainerCommand),
  ...toRows('at batch', findFedLines),
  npx: (call, textsOf) => [...takeFlagCommand('-c', '--call')(call, textsOf), ...wrappedWords(call)],
  ...toRows('npm pnpm yarn bun', findPackageCommand),
  tmux: ({ args }) => operandsOf(args).flatMap((word) => (/\s/.test(word) ? [toLineAction(word)] : [])),
  ssh: (call, textsOf) => {
    const command = unwrapCommand('ssh', call.args) ?? [];
    const lines = command.length === 0 ? findShellScripts({ ...call, args: [] }, textsOf) : joinOperands(command);
    return lines.map((each): NestedAction => (each.type === 'line' ? { ...each, remote: 'host' } : each));
  },
};

/** Everything a call hands on. */
export function findNestedActions(call: Call, textsOf: TextsOf): readonly NestedAction[] {
  const own = findRow(PROGRAMS, call.name);
  if (own !== undefined) return own(call, textsOf);
  if (SHELL.test(call.name)) return findShellScripts(call, textsOf);
  return [...wrappedWords(call), ...findWrittenScript(call, textsOf)];
}

function wrappedWords({ name, args, fed }: Call): NestedAction[] {
  const rest = unwrapCommand(name, args);
  if (rest === undefined || rest.length === 0 || (name === 'command' && /^-[a-z]*[vV]/.test(args[0] ?? ''))) return [];
  // `watch 'a; b'`: one word that a shell reads.
  if (takesLine(name)) return joinOperands(rest);
  return [{ type: 'words', words: rest, fed }];
}

/** `env -S 'a b' c` splits its value and goes on behind it; `-C` runs the rest elsewhere. */
function findEnvCommands(call: Call): NestedAction[] {
  const { args } = call;
  const at = args.findIndex((word) => /^(?:-[a-zA-Z]*S|--split-string)/.test(word));
  const value = /^(?:-[a-zA-Z]*S|--split-string=?)([^]*)$/.exec(args[at] ?? '')?.[1] ?? '';
  const split =
    at < 0 ? [] : [toLineAction([value === '' ? (args[at + 1] ?? '') : value, ...args.slice(at + (value === '' ? 2 : 1))].join(' '))];
  const folder = args.findIndex((word) => /^(?:-C|--chdir)$/.test(word));
  const cwd = folder < 0 ? args.flatMap((word) => /^--chdir=(.*)$/.exec(word)?.[1] ?? [])[0] : args[folder + 1];
  return [
    ...split,
    ...wrappedWords(call).map((each): NestedAction => (each.type === 'words' && cwd !== undefined ? { ...each, cwd } : each)),
  ];
}

function findSourcedScript({ args, fed, piped }: Call, textsOf: TextsOf): NestedAction[] {
  const [file = '', ...positional] = args.filter((word) => word !== '--');
  const texts = file === '/dev/stdin' || file === '-' ? (piped || fed.length > 0 ? fed : []) : (textsOf(file) ?? []);
  return texts.map((text) => ({ type: 'line', line: fromOutside(text), apart: false, ...(positional.length > 0 && { positional }) }));
}

/** A file this very line wrote and now runs by its name. */
function findWrittenScript(call: Call, textsOf: TextsOf): NestedAction[] {
  if (!call.path.includes('/')) return [];
  return (textsOf(call.path) ?? []).flatMap((text): NestedAction[] => {
    const named = /^#!\s*\S*?([\w.-]+)(?:\s+([\w.-]+))?\s*\n/.exec(text);
    const program = named?.[1] === 'env' ? named[2] : named?.[1];
    return program === undefined || SHELL.test(program)
      ? [{ type: 'line', line: fromOutside(text), apart: true, positional: ['', ...call.args], zero: call.path }]
      : [];
  });
}

/** Commands in git's settings, and those it runs commit by commit. */
function findGitCommands({ args }: Call): NestedAction[] {
  const handed = args.flatMap((word, index): NestedAction[] => {
    const alias = /^alias\.[^=]+=([^]*)$/i.exec(args[index - 1] === '-c' ? word : '')?.[1];
    if (alias !== undefined)
      return [alias.startsWith('!') ? toLineAction(alias.slice(1)) : toCommandAction(['git', ...alias.split(/\s+/)])];
    const runs = /^(?:-x|--exec|--(?:tree|index|msg|env)-filter)$/.test(args[index - 1] ?? '') && !args.includes('cherry-pick');
    const line = runs ? word : /^--exec=([^]+)$/.exec(word)?.[1];
    return line === undefined ? [] : [toLineAction(line)];
  });
  const verbs = operandsOf(args);
  if (verbs[0] === 'config' && /^alias\./i.test(verbs[1] ?? '') && verbs[2]?.startsWith('!') === true)
    handed.push(toLineAction(verbs[2].slice(1)));
  if (verbs[0] === 'bisect' && verbs[1] === 'run') handed.push(toCommandAction(args.slice(args.indexOf('run') + 1)));
  if (verbs[0] === 'submodule' && verbs[1] === 'foreach') handed.push(toLineAction(verbs.slice(2).join(' ')));
  return handed;
}

/** `npm exec -- a b`, `npm exec -c 'a b'`, `pnpm dlx a`. */
function findPackageCommand(call: Call, textsOf: TextsOf): readonly NestedAction[] {
  const { args } = call;
  const at = args.findIndex((word) => /^(?:exec|x|dlx)$/.test(word));
  if (at < 0 || args.slice(0, at).some((word) => !word.startsWith('-'))) return [];
  const rest = args.slice(at + 1);
  const command = rest.includes('--') ? rest.slice(rest.indexOf('--') + 1) : rest.slice(rest.findIndex((word) => !/^-./.test(word)));
  return [
    ...takeFlagCommand('-c', '--call')({ ...call, args: rest }, textsOf),
    ...(command.length === 0 ? [] : [toCommandAction(command)]),
  ];
}

/** Flags of container tools that stand alone; any other may take the next word. */
const ALONE = /^-(?:[itdPT]+|-(?:rm|interactive|tty|detach|privileged|init|no-deps|stdin|read-only|publish-all|no-TTY|quiet))$|=/;

/** What runs in a container, where paths are its own. What a fresh one runs without a mount touches nothing but itself. */
function findContainerCommand({ args }: Call): NestedAction[] {
  const at = args.findIndex(
    (word, index) =>
      /^(?:exec|run)$/.test(word) &&
      args.slice(0, index).every((before, place) => /^-|^compose$|^container$/.test(before) || (args[place - 1] ?? '').startsWith('-')),
  );
  const rest = args.slice(at + 1);
  if (
    at < 0 ||
    (args[at] === 'run' &&
      !args.includes('compose') &&
      !rest.some((word) => /^(?:-v|--volume|--mount|--volumes-from|--device|--privileged)/.test(word)))
  )
    return [];
  const dashes = rest.indexOf('--');
  if (dashes >= 0) return [{ type: 'words', words: rest.slice(dashes + 1), remote: 'container' }];
  let start = 0;
  while (start < rest.length && (rest[start] ?? '').startsWith('-')) start += ALONE.test(rest[start] ?? '') ? 1 : 2;
  const command = rest.slice(start + 1);
  return command.length === 0 ? [] : [{ type: 'words', words: command, remote: 'container' }];
}
