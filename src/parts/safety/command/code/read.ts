import type { Call } from '../call/call.ts';
import { type NestedAction, toLineAction, type TextsOf, toCommandAction } from '../call/handed.ts';
import { isUnknown, MARK, withoutMarks } from '../values/marks.ts';
import { findAwkActions, findSedActions } from './filters.ts';
import { UNSEEN } from './evaluating.ts';
import { findCodeActions } from './scripts.ts';

/** An interpreter: the flags before its code, and whether it reads code from its input. */
interface Interpreter {
  readonly name: RegExp;
  readonly flag: RegExp;
  /** Flags that take the next word, so that it is no script. */
  readonly valued?: RegExp;
}

const INTERPRETERS: readonly Interpreter[] = [
  {
    name: /^(?:python|pypy|jython|ipython|micropython|uv-python)[\d.]*$/,
    flag: /^-[a-zA-Z]*c$/,
    valued: /^-(?:[WXQ]|-check-hash-based-pycs)$/,
  },
  {
    name: /^(?:node|nodejs|bun|iojs|tsx|ts-node)$/,
    flag: /^(?:-[a-z]*[ep]|-pe|--eval|--print)$/,
    valued: /^(?:-r|--require|--import|--loader|-C|--conditions|--env-file)$/,
  },
  { name: /^deno$/, flag: /^(?:eval|-p|--print)$/ },
  { name: /^perl[\d.]*$/, flag: /^-[a-zA-Z0-9]*[eE]$/, valued: /^-[IMm]$/ },
  { name: /^(?:ruby|irb|jruby)[\d.]*$/, flag: /^-[a-z]*e$/, valued: /^-[IrC]$/ },
  { name: /^php[\d.]*$/, flag: /^(?:-r|--run|-B|-R|-E)$/, valued: /^-[dcz]$/ },
  {
    name: /^(?:gcc|cc|clang|tcc|g\+\+|clang\+\+|c\+\+|rustc|go|zig|csc|ghc|kotlinc|swiftc|nim)[\d.-]*$/,
    flag: /^$/,
    valued: /^-(?:o|x|I|L|l|std|include|D)$/,
  },
  {
    name: /^(?:lua|luajit|tclsh|wish|julia|elixir|groovy|scala|racket|guile|osascript|Rscript|R|swift|ghc|runghc|clojure|bb|emacs|octave|sbcl)[\d.]*$/,
    flag: /^(?:-[a-z]*e|-c|--eval|--exec|-E|--batch)$/,
  },
];

/** What the code a program is given does: on its command line, in a file this line wrote, or through its input. */
export function findInterpreterActions(call: Call, textsOf: TextsOf): readonly NestedAction[] {
  if (/^[gmn]?awk$|^busybox-awk$/.test(call.name))
    return [...programWords(call, /^-[fvFi]$/, /^-(?:f|-file)/), ...programFiles(call, textsOf)].flatMap((code) =>
      findAwkActions(code, awkNames(call)),
    );
  if (/^g?sed$/.test(call.name)) return [...sedPrograms(call), ...programFiles(call, textsOf)].flatMap(findSedActions);
  if (/^(?:sqlite3|psql|mysql|mariadb|duckdb)$/.test(call.name)) return [...databaseLines(call), ...statementFiles(call, textsOf)];
  const interpreter = INTERPRETERS.find(({ name }) => name.test(call.name));
  if (interpreter === undefined && !RARE_NAMES.test(call.name)) return [];
  const rare: readonly NestedAction[] =
    RARE_NAMES.test(call.name) &&
    RARE.test(
      [...(COMPILERS.test(call.name) ? [] : call.args), ...call.fed, ...call.args.flatMap((word) => textsOf(word) ?? [])]
        .join('\n')
        .slice(0, 100_000),
    )
      ? [{ type: 'danger', key: 'interpreter_code', reason: 'its code deletes, runs or writes something' }]
      : [];
  const bang = /^(?:dc|gnuplot|ftp|sftp|telnet|mail|mailx)$/.test(call.name)
    ? call.fed
        .flatMap((text) => text.split('\n'))
        .flatMap((text) => /^\s*!\s*(.+)$/.exec(text)?.[1] ?? [])
        .map((text) => toLineAction(text))
    : [];
  return [...rare, ...bang, ...asModule(call), ...(interpreter === undefined ? [] : findGivenCode(call, interpreter, textsOf))];
}
/** `python -m pip …`: a module that is a program of its own. */
const asModule = ({ name, args }: Call): NestedAction[] => {
  const at = args.findIndex((word) => !/^-[a-zA-Z]*[^mcW]$/.test(word));
  return name.startsWith('python') &&
    args[at] === '-m' &&
    /^(?:pip|twine|poetry|pipx|flask|alembic|invoke|celery|awscli)$/.test(args[at + 1] ?? '')
    ? [toCommandAction(args.slice(at + 1))]
    : [];
};
const nothing = (): void => {};
/** `-v name=value`. */
const awkNames = ({ args }: Call): ReadonlyMap<string, string> =>
  new Map(
    args.flatMap((word, at) => {
      const [, name, value] = /^(?:-v)?([A-Za-z_]\w*)=([^]*)$/.exec(args[at - 1] === '-v' || word.startsWith('-v') ? word : '') ?? [];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    }),
  );

function findGivenCode(call: Call, { flag, valued }: Interpreter, textsOf: TextsOf): readonly NestedAction[] {
  const { args, fed, piped, reads } = call;
  const at = args.findIndex((word) => flag.test(word));
  if (at >= 0)
    return args.flatMap((word, index) => {
      const code = args[index + 1] ?? '';
      return flag.test(word) ? read(/^(?:-[a-z]*p[a-z]*|--print)$/.test(word) ? `console.log(${code})` : code) : [];
    });
  const joined = args.flatMap(
    (word) => /^--(?:eval|print)=([^]*)$/.exec(word)?.[1] ?? /^-[ecEr]([^\w-][^]*|[^]*\s[^]*)$/.exec(word)?.[1] ?? [],
  );
  if (joined.length > 0) return joined.flatMap((code) => read(code));
  const operand = args
    .slice(/^(?:deno|bun)$/.test(call.name) && args[0] === 'run' ? 1 : 0)
    .find((word, index) => (!/^-./.test(word) || word.startsWith('-m')) && valued?.test(args[index - 1] ?? '') !== true);
  if (operand !== undefined && operand !== '-' && operand !== '/dev/stdin')
    return (textsOf(operand) ?? []).flatMap((code) => fromFile(code));
  if (args.some((word) => /^(?:-V|-v|--version|-h|--help|-i|--check)$/.test(word))) return [];
  return [...(piped || fed.length > 0 ? fed : []), ...reads.flatMap((file) => textsOf(file) ?? [])].flatMap((code) => read(code));
}

/** What rarer languages call deleting, running and writing. */
const RARE =
  /file\s+delete|\bexec\s+\w|delete-(?:directory|file)|shell-command|call-process|start-process|write-region|os\.(?:execute|remove|rename)|io\.popen|io\.open\([^)]*["'][wa]|\bunlink\s*\(|system\s*\(|system2|file\.remove|\brun\(`|\brm\(|do shell script|\.execute\(\)|deleteDir|File\.rm|System\.cmd|:os\.cmd|removeDirectory|callCommand|readProcess|e?syscmd|run-program|delete_directory|shell\(|std::process|remove_dir_all|fs::remove|os\.RemoveAll|exec\.Command|\.!|getRuntime|ProcessBuilder|os:cmd|file:del|Files\.delete|tell application|keystroke|Sys\.command|(?:write\w*|save\w*|sink|dump|spew)\b[^;\n]*["'](?:~|\/(?!tmp\/))|open\s+"?\||(?<!-)\b(?:delete|remove|unlink|rmdir|rmtree|rename|truncate|exec|spawn|popen|subprocess|system|shell|socket|download|slurp|spit|eval)[\w!]*[\s('"(]/;
/** Their words name files and what the program in them is told. */
const COMPILERS = /^(?:go|rustc|zig|java)$/;
const RARE_NAMES =
  /^(?:lua|luajit|tclsh|wish|julia|elixir|groovy|scala|racket|guile|osascript|Rscript|R|swift|ghc|runghc|clojure|bb|emacs|octave|sbcl|m4|dc|bc|java|jshell|erl|raku|rakudo|picolisp|gforth|janet|fennel|ocaml|csi|fsi|swipl|gnuplot|maxima|sbcl|go|rustc|zig|nim)[\d.]*$/;

/**
 * A program in a file is told by its words where it writes, and loads its parts by names it puts together. What only the
 * whole of it looks like is no reason to refuse it.
 */
const fromFile = (code: string): readonly NestedAction[] =>
  acts(code).flatMap((each): NestedAction[] => {
    if (each.type === 'file') return each.write.startsWith(MARK.unknown) ? [] : [each];
    if (each.type !== 'danger') return [each];
    return each.key === 'loaded_code' || each.faint === true ? [] : [{ type: 'danger', key: each.key, reason: each.reason }];
  });

/** Verbs of change, in whatever library. */
const CHANGES =
  /\b(?:rm|rmtree|remove\w*|delete\w*|unlink\w*|rename\w*|move\w*|copy\w*|truncate\w*|extract\w*|unpack\w*|chmod\w*|chown\w*|save\w*|symlink\w*|install\w*|to_csv|to_json|inplace)\b|(?<!std(?:out|err)\.)\bwrite\w*\b/;
const ELSEWHERE = /['"`]((?:~|\/(?:home|root|Users|srv|opt|var|etc|usr|boot|mnt|media))(?:\/[\w.@*-]+)*\/?)['"`]/g;
/** Places that short code names beside a verb of change: it may well change them, by whatever call. */
const changed = (code: string): readonly NestedAction[] =>
  CHANGES.test(code)
    ? [...code.matchAll(ELSEWHERE)]
        .slice(0, 20)
        .map(([, path = '']): NestedAction => ({ type: 'file', write: `${path.replace(/\/$/, '')}/x` }))
    : [];

const read = (code: string): readonly NestedAction[] => [...acts(code), ...changed(code)];

function acts(code: string): readonly NestedAction[] {
  if (isUnknown(code) && withoutMarks(code).replaceAll('?', '').trim() === '')
    return [{ type: 'danger', key: 'interpreter_input', reason: 'an interpreter runs code that is only known when it runs' }, ...UNSEEN];
  return findCodeActions(code, nothing);
}

/** The program of `awk`: the first word that belongs to no flag. */
function programWords({ args }: Call, valued: RegExp, elsewhere: RegExp): string[] {
  if (args.some((word) => elsewhere.test(word))) return [];
  const program = args.find((word, index) => !/^-./.test(word) && !valued.test(args[index - 1] ?? ''));
  return program === undefined ? [] : [program];
}

/** `-f file`, as far as this line wrote it or feeds it. */
const programFiles = ({ args, fed }: Call, textsOf: TextsOf): string[] =>
  args
    .flatMap((word, index) => (/^-[a-zA-Z]*f$|^--file$/.test(word) ? (args[index + 1] ?? []) : (/^--file=(.*)$/.exec(word)?.[1] ?? [])))
    .flatMap((file) => (file === '-' || file === '/dev/stdin' ? fed : (textsOf(file) ?? [])));

/** Statements in a file this line wrote are read like those it is fed. */
const statementFiles = ({ name, args }: Call, textsOf: TextsOf): NestedAction[] =>
  args
    .flatMap((word, index) => [
      ...(/^(?:-[a-zA-Z]*f|--file)$/.test(args[index - 1] ?? '') ? [word] : []),
      ...[...word.matchAll(/(?:^|[;\n])\s*(?:\.read|\\i|\\ir|source|\\\.)\s+([^\s;|]+)/g)].map((found) => found[1] ?? ''),
    ])
    .flatMap((file) => textsOf(file) ?? [])
    .map((text): NestedAction => ({ type: 'words', words: [name], fed: [text] }));

function sedPrograms({ args }: Call): string[] {
  const named = args.flatMap((word, index) =>
    /^-[a-zA-Z]*e$|^--expression$/.test(word) ? [args[index + 1] ?? ''] : (/^--expression=([^]*)$/.exec(word)?.[1] ?? []),
  );
  return named.length > 0 ? named : args.filter((word) => !/^-./.test(word)).slice(0, 1);
}

/** Lines by which a database's own shell runs another program. */
const databaseLines = ({ args, fed }: Call): NestedAction[] =>
  [...args, ...fed]
    .flatMap((text) => text.split(/\n/).slice(0, 500))
    .flatMap((text) => {
      const found =
        /^\s*(?:\\!|\.(?:shell|system)\b|\\?system\b)\s*(.+)$/.exec(text)?.[1] ??
        /\bFROM\s+PROGRAM\s+'([^']+)'|\bTO\s+PROGRAM\s+'([^']+)'/i.exec(text)?.[1];
      const shown = /\breadfile\s*\(\s*'([^']+)'/i.exec(text)?.[1];
      return [
        ...(found === undefined ? [] : [toLineAction(found)]),
        ...(shown === undefined ? [] : [toCommandAction(['cat', '--', shown])]),
      ];
    });
