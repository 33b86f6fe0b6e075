import { findInterpreterActions } from '../code/read.ts';
import { findCodeActions } from '../code/scripts.ts';
import { fromOutside } from '../values/marks.ts';
import type { Call } from '../call/call.ts';
import { findParallelCommands, findXargsCommands } from './feeders.ts';
import { findFdCommands, findFindCommands } from './finds.ts';
import { findGitCommands } from './git.ts';
import {
  findEditorCommands,
  findEnvCommands,
  findContainerCommand,
  findImplicitScripts,
  findBuildScripts,
  findSourcedScript,
  findEvaluatedSubscripts,
} from './given.ts';
import { type NestedAction, type FindNestedActions, toLineAction, type TextsOf, toCommandAction } from '../call/handed.ts';
import { takeFlagCommand, findFedLines, joinOperands, SHELL, findShellScripts } from './shells.ts';
import { TOOLS } from './tools.ts';
import { isWrapper, takesLine, unwrapCommand } from './wrappers.ts';

const operandsOf = (args: readonly string[]): string[] => args.filter((word) => !/^-./.test(word));

/** Programs that hand on in a way of their own. */
const PROGRAMS: Readonly<Record<string, FindNestedActions>> = {
  ...TOOLS,
  eval: ({ args }) => (args.length === 0 ? [] : [toLineAction((args[0] === '--' ? args.slice(1) : args).join(' '), false)]),
  source: findSourcedScript,
  '.': findSourcedScript,
  trap: ({ args }) => (operandsOf(args).length < 2 ? [] : [toLineAction(operandsOf(args)[0] ?? '', false)]),
  alias: ({ args }) => args.flatMap((word) => (word.includes('=') ? [toLineAction(word.slice(word.indexOf('=') + 1))] : [])),
  su: takeFlagCommand('-c', '--command', '--session-command'),
  runuser: takeFlagCommand('-c', '--command'),
  script: (call, textsOf) => [
    ...takeFlagCommand('-c', '--command', '-qc', '-qec', '-ec', '-qefc')(call, textsOf),
    ...findFedLines(call, textsOf),
  ],
  flock: (call, textsOf) => [...takeFlagCommand('-c', '--command')(call, textsOf), ...wrappedWords(call)],
  env: (call) => findEnvCommands(call, wrappedWords),
  find: findFindCommands,
  gfind: findFindCommands,
  fd: findFdCommands,
  fdfind: findFdCommands,
  xargs: findXargsCommands,
  gxargs: findXargsCommands,
  parallel: findParallelCommands,
  git: findGitCommands,
  docker: findContainerCommand,
  podman: findContainerCommand,
  nerdctl: findContainerCommand,
  'docker-compose': findContainerCommand,
  kubectl: findContainerCommand,
  oc: findContainerCommand,
  lxc: findContainerCommand,
  at: findFedLines,
  batch: findFedLines,
  npx: (call, textsOf) => [...takeFlagCommand('-c', '--call')(call, textsOf), ...wrappedWords(call)],
  tmux: ({ args }) =>
    operandsOf(args)
      .flatMap((word) => (/\s/.test(word) ? [toLineAction(word)] : []))
      .concat(wordsAfter(args, /^(?:new|new-session|neww|new-window|splitw?|split-window|run|run-shell)$/)),
  vim: findEditorCommands,
  vi: findEditorCommands,
  nvim: findEditorCommands,
  ex: findEditorCommands,
  view: findEditorCommands,
  ed: findEditorCommands,
  mapfile: takeFlagCommand('-C'),
  readarray: takeFlagCommand('-C'),
  complete: takeFlagCommand('-C'),
  bind: takeFlagCommand('-x'),
  'start-stop-daemon': ({ args }) =>
    behindWords(args, '--exec', '-x', '--startas', '-a').flatMap((each) =>
      each.type === 'line' ? [toCommandAction([each.line, ...afterDashes(args)])] : [],
    ),
  rsync: takeFlagCommand('-e', '--rsh'),
  scp: takeFlagCommand('-S'),
  rg: takeFlagCommand('--pre'),
  sort: takeFlagCommand('--compress-program'),
  man: takeFlagCommand('-P', '--pager', '-H', '--html'),
  ag: takeFlagCommand('--pager'),
  less: ({ args }) => args.flatMap((word) => (word.startsWith('+!') ? [toLineAction(word.slice(2))] : [])),
  ssh: (call, textsOf) => [
    ...call.args
      .flatMap((word, index) => (call.args[index - 1] === '-F' ? (textsOf(word) ?? []) : []))
      .flatMap((text) => text.split('\n').flatMap((each) => proxy(each.trim()))),
    ...call.args.flatMap((word, index) => proxy(word === '-o' ? (call.args[index + 1] ?? '') : word)),
    ...[
      ...joinOperands(unwrapCommand('ssh', call.args) ?? []),
      ...(unwrapCommand('ssh', call.args)?.length === 0 ? findShellScripts({ ...call, args: [] }, textsOf) : []),
    ].map((each): NestedAction => (each.type === 'line' ? { ...each, remote: true } : each)),
  ],
  'gnome-terminal': ({ args }) => wordsAfter(args, /^(?:--|-e|-x)$/),
  capsh: ({ args }) => (args.includes('--') ? findShellScripts({ ...BARE, args: afterDashes(args) }, () => undefined) : []),
};
const BARE: Pick<Call, 'fed' | 'piped' | 'reads'> & Omit<Call, 'args'> = {
  name: 'sh',
  path: 'sh',
  settings: [],
  writes: [],
  replaces: [],
  reads: [],
  fed: [],
  piped: false,
  from: [],
  feeds: false,
  background: false,
  place: { cwd: undefined, home: '/', base: '/' },
};

/** Everything a call hands on. */
export function findNestedActions(call: Call, textsOf: TextsOf): readonly NestedAction[] {
  const own = Object.hasOwn(PROGRAMS, call.name) ? PROGRAMS[call.name] : undefined;
  const set = [
    ...settingLines(call),
    ...findEvaluatedSubscripts(call),
    ...findBuildScripts(call, textsOf),
    ...findImplicitScripts(call, textsOf).flatMap((code) => findCodeActions(code, () => {})),
  ];
  if (own !== undefined)
    return [...own(call, textsOf), ...findInterpreterActions(call, textsOf), ...findWrittenScript(call, textsOf), ...set];
  if (SHELL.test(call.name)) return [...findShellScripts(call, textsOf), ...set];
  const code = findInterpreterActions(call, textsOf);
  return [...code, ...wrappedWords(call), ...findWrittenScript(call, textsOf), ...set, ...(isWrapper(call.name) ? [] : hidden(call))];
}

/** Variables whose value a program runs. */
const RUN_SETTINGS =
  /^(?:\w*(?:EDITOR|PAGER|VISUAL|ASKPASS|COMMAND|BROWSER|SHELL|LESSOPEN|LESSCLOSE|RSH|SSH)|GIT_EXTERNAL_DIFF|GIT_CONFIG_VALUE_\d+|CC|CXX|MAKEFLAGS|PS4|PS1)=/;
const settingLines = ({ settings, name, args }: Call): NestedAction[] =>
  [...settings, ...(/^(?:export|declare|typeset)$/.test(name) ? args : [])].flatMap((word) => {
    const value = word.slice(word.indexOf('=') + 1);
    return RUN_SETTINGS.test(word) ? [toLineAction(value.replace(/^!/, ''))] : [];
  });

function wrappedWords({ name, args, fed }: Call): NestedAction[] {
  const rest = unwrapCommand(name, args);
  if (rest === undefined || rest.length === 0 || (name === 'command' && /^-[a-z]*[vV]/.test(args[0] ?? ''))) return [];
  // `watch 'a; b'`: one word that a shell reads.
  if (takesLine(name)) return joinOperands(rest);
  return [{ type: 'words', words: rest, fed }];
}

/** A file this very line wrote and now runs by its name. */
function findWrittenScript(call: Call, textsOf: TextsOf): NestedAction[] {
  if (!call.path.includes('/')) return [];
  return (textsOf(call.path) ?? []).flatMap((text): readonly NestedAction[] => {
    const named = /^#!\s*\S*?([\w.-]+)(?:\s+([\w.-]+))?\s*\n/.exec(text);
    const program = named?.[1] === 'env' ? named[2] : named?.[1];
    const code =
      program === undefined ? [] : findInterpreterActions({ ...call, name: program, args: ['-'], fed: [text], piped: true }, textsOf);
    return program === undefined || SHELL.test(program)
      ? [{ type: 'line', line: fromOutside(text), apart: true, positional: ['', ...call.args], zero: call.path }]
      : code;
  });
}

/** Programs that are dangerous in the hands of any other. Whoever is no reader of words and names one of them may run it. */
const SHARP = /^(?:rm|dd|mkfs(?:\.\w+)?|shred|sh|bash|zsh|dash|sudo|doas|chmod|chown|wipefs|mkswap|eval|xargs|find)$/;
/** Words for power are verbs of many programs; only a path makes them one of the system. */
const POWER = /^\/(?:\S*\/)?(?:shutdown|reboot|poweroff|halt)$/;
/** An address or a file of a project has no program at its end. */
const isSharp = (word: string): boolean =>
  POWER.test(word) ||
  (SHARP.test(word.split('/').at(-1) ?? '') && !/:\/\/|^[\w.-]+(?::\d+)?\/.*\//.test(word) && !/^[\w-]+\.[\w.-]+\//.test(word));
const READERS =
  /^(?:echo|printf|e?grep|fgrep|rg|ag|ack|git|man|which|type|whatis|apropos|whereis|help|info|tldr|command|hash|alias|unalias|test|\[|\[\[|case|for|export|declare|local|read|set|unset|cat|ls|head|tail|wc|sed|awk|gawk|jq|yq|sort|diff|cp|mv|ln|touch|mkdir|chmod|chown|rm|dd|stat|file|apt|apt-get|brew|dnf|yum|apk|pacman|pip\d?|npm|yarn|pnpm|cargo|docker|podman|docker-compose|kubectl|systemctl|journalctl|pgrep|pkill|killall|ps|tar|basename|dirname|kill|trap|hermes|gh|crontab|pidof|dpkg|rpm|snap|helm|aws|gcloud|az|terraform|deno|redis-cli|psql|mysql|sqlite3|\w*_?history|complete|compgen|shellcheck|bats|code|nano|vim|vi|ed|less|more|true|false|:|sleep|cd|pushd|popd|logger|say|notify-send|last|lastb|who|w|uptime)$/;

/** A word that is a line by its looks: it begins with one of those, or has one behind a separator. */
const SHARP_LINE =
  /^(?:-{1,2}[\w-]+=)?['"!(\s]*((?:(?:\S*\/)?(?:rm|dd|shred|sudo|bash|sh|eval|curl|wget|mkfs\S*|chmod|find)\s|[^;|&]*[;|&]\s*(?:rm|sh|bash)\s)[^]*)$/;

/** Verbs behind which a line is looked at, not run. */
const EXPLAINS = /^(?:explain|parse|lint|check|quote|escape|format|highlight|classify|judge|scan|match|describe|why)$/;
function hidden({ name, args, fed }: Call): NestedAction[] {
  if (READERS.test(name) || EXPLAINS.test(args[0] ?? '')) return [];
  const at = args.findIndex(isSharp);
  const lines = args
    .flatMap((word) => SHARP_LINE.exec(word)?.[1] ?? [])
    .slice(0, 8)
    .map((text) => toLineAction(text));
  return at < 0 ? lines : [...lines, { type: 'words', words: args.slice(at), fed }];
}

const afterDashes = (args: readonly string[]): string[] =>
  args.includes('--') ? args.slice(args.indexOf('--') + 1) : operandsOf(args).slice(1);
const behindWords = (args: readonly string[], ...flags: readonly string[]): readonly NestedAction[] =>
  takeFlagCommand(...flags)({ ...BARE, args }, () => undefined);
function wordsAfter(args: readonly string[], mark: RegExp): NestedAction[] {
  const at = args.findIndex((word) => mark.test(word));
  const rest = at < 0 ? [] : args.slice(at + 1);
  const start = rest.findIndex((word) => !word.startsWith('-'));
  return start < 0 ? [] : [toCommandAction(rest.slice(start))];
}
const proxy = (option: string): NestedAction[] => {
  const command = /^(?:-o)?\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand|PermitLocalCommand)[=\s]+([^]+)$/i.exec(option)?.[1];
  return command === undefined ? [] : [toLineAction(command)];
};
