import type { ShellCommand, SimpleCommand } from '../../../base/shell/ast.ts';
import { readShell } from '../../../base/shell/read.ts';
import { joinWordParts } from '../../../base/shell/tree.ts';
import type { CommandOutcome } from '../../../contracts/safety.ts';

const NO_NAME = '(?:Name or service not known|Temporary failure in name resolution|nodename nor servname provided, or not known)';
const NO_WAY =
  "(?:Couldn't connect to server|Could not connect to server|Connection refused|Connection timed out|No route to host|Network is unreachable)";
const SOCKET = 'unix:///(?:var/run|run|run/hermes/sockets|run/user/\\d+|(?:home|Users)/[\\w-]+/\\.docker/(?:run|desktop))/docker\\.sock';
/** Stands for a word the command itself has named: what it holds is compared with the command. */
const NAMED = '([\\w.:/@%-]+)';
const row = (text: string): RegExp => new RegExp(`^(?:${text.replaceAll('NAMED', NAMED)})$`);
const FAILED_TO_CONNECT = `Failed to connect to NAMED port \\d+(?: after \\d+ ms)?: ${NO_WAY}`;

/**
 * Lines by which programs of this machine say that they reached nobody. Whole lines with no room for another's words: what a
 * group holds has to stand in the command. Adding one is a row.
 */
const FAILURES: readonly RegExp[] = [
  row(`curl: \\(\\d+\\) (?:Could not resolve (?:host|proxy): NAMED|${FAILED_TO_CONNECT})`),
  row('curl: \\(28\\) (?:Connection|Resolving) timed out after \\d+ milliseconds'),
  row(`Resolving NAMED(?: \\(NAMED\\))?\\.\\.\\. failed: ${NO_NAME}\\.`),
  row(`Connecting to NAMED(?: \\(NAMED\\))?(?:\\|[\\da-f.:]+\\|)?(?::\\d+)?\\.\\.\\. failed: ${NO_WAY}\\.`),
  row("wget: unable to resolve host address [‘']NAMED[’']"),
  row(`fatal: unable to access 'NAMED': (?:Could not resolve host: NAMED|${FAILED_TO_CONNECT})`),
  row('fatal: not a git repository \\(or any of the parent directories\\): \\.git'),
  row(`ssh: Could not resolve hostname NAMED: ${NO_NAME}`),
  row(`ssh: connect to host NAMED port \\d+: ${NO_WAY}`),
  // Of the proxy around commands, and of a daemon that is not there.
  row('npm error 502 Bad Gateway - GET https://registry\\.npmjs\\.org/NAMED'),
  row(
    "(?:warning: spurious network error \\(\\d tr(?:y|ies) remaining\\): |  )\\[\\d+\\] (?:Could(?:n't| not) (?:resolve|connect to) (?:host ?name|proxy name|server)|Failure when receiving data from the peer) \\((?:CONNECT tunnel failed, response 50\\d|Could not resolve \\w{4,5}: (?:index\\.|static\\.)?crates\\.io)\\)",
  ),
  row(`(?:docker: )?Cannot connect to the Docker daemon at ${SOCKET}\\. Is the docker daemon running\\?`),
  row('unknown (?:shorthand )?flag: NAMED(?: in NAMED)?'),
  row('(?:(?:/bin/)?(?:ba|da|z)?sh: )?(?:line \\d+: )?NAMED: (?:command )?not found'),
];
/** What they write besides. */
const BESIDES: readonly RegExp[] = [
  row('\\s*% Total\\s+% Received\\s+% Xferd\\s+Average Speed\\s+Time\\s+Time\\s+Time\\s+Current'),
  row('\\s*Dload\\s+Upload\\s+Total\\s+Spent\\s+Left\\s+Speed'),
  row('[\\s\\d:.kMG-]*'),
  row('--\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d--\\s+NAMED'),
  row("Cloning into 'NAMED'\\.\\.\\."),
  row('fatal: Could not read from remote repository\\.|Please make sure you have the correct access rights|and the repository exists\\.'),
  row('npm error code E\\w{1,12}'),
  row('npm error A complete log of this run can be found in: /(?:root|(?:home|Users)/[\\w-]+)/\\.npm/_logs/[\\dTZ_-]+-debug-\\d\\.log'),
  row(' +Updating crates\\.io index'),
  row('error: download of config\\.json failed|Caused by:| {2}failed to download from `https://index\\.crates\\.io/config\\.json`'),
  row(
    "Run 'docker(?: \\w{1,10})? --help' for more information|the input device is not a TTY|Usage: {2}docker \\[OPTIONS\\] COMMAND \\[ARG\\.\\.\\.\\]",
  ),
];

/** How curl ends without having heard a word: no name, no connection, no trust. */
const SPEECHLESS: ReadonlySet<number> = new Set([5, 6, 7, 35, 60]);

/**
 * Whether a command that fetches let no word in from outside. Only a line whose whole output is in view can tell: one that keeps
 * it in a variable or hands it to another program may show it later.
 */
export function isUnreached(command: string, { text, exitCode, reachedNobody }: CommandOutcome): boolean {
  const fetch = readPlainFetch(command);
  if (fetch === undefined) return false;
  const { words, isCut } = fetch;
  // Of one address that our own proxy did not open, whatever is said is said here.
  if (reachedNobody === true && Object.hasOwn(VALUED, words[0] ?? '')) return true;
  const lines = text.split(/[\r\n]+/).map((line) => line.trimEnd().replace(/^[\s\d:.kMG-]*(?=curl: )/, ''));
  if (!lines.every((line) => [...FAILURES, ...BESIDES].some((each) => fits(line, each, command)))) return false;
  if (words[0] === 'curl' && discards(words)) return true;
  const saysSo = lines.some((line) => FAILURES.some((each) => fits(line, each, command)));
  // Behind a pipe its end is not known. Whoever wrote those lines, no word in them is another's, and the rest is gone.
  if (isCut) return saysSo;
  if (exitCode === undefined || exitCode === 0) return false;
  return saysSo || (words[0] === 'curl' && SPEECHLESS.has(exitCode));
}

const fits = (line: string, each: RegExp, command: string): boolean => {
  const found = each.exec(line);
  return found !== null && found.slice(1).every((part: string | undefined) => part === undefined || isNamedBy(part, command));
};
/** As it was typed, or with the scheme and the slashes that programs add. */
const isNamedBy = (part: string, command: string): boolean => command.includes(part.replace(/^https?:\/\//, '').replace(/\/+$/, ''));

/** Programs whose fetched words go to their output, or to one place they are told. */
const CLIENTS = new Set('curl wget git ssh npm cargo docker podman gh glab psql redis-cli kubectl aws gcloud az'.split(' '));

/** The words of a line that does nothing but go to a folder and fetch from one place; nothing of its output goes elsewhere. */
function readPlainFetch(command: string): PlainFetch | undefined {
  const { list, whole } = readShell(command);
  const behind = (list.at(-1)?.commands ?? []).slice(1);
  const steps = list.map(({ commands: [first, ...more], background }, at) =>
    first?.type !== 'simple' || (more.length > 0 && at + 1 < list.length) || background ? undefined : wordsOf(first),
  );
  const before = steps.slice(0, -1);
  if (!whole || !before.every((step) => step?.[0] === 'cd')) return undefined;
  const last = steps.at(-1);
  const words = last?.[0] === 'timeout' ? last.slice(2) : last;
  if (words === undefined || !CLIENTS.has(words[0] ?? '') || !countsOne(words)) return undefined;
  return behind.length === 0 || (keepsNothing(words) && behind.every(isCutting)) ? { words, isCut: behind.length > 0 } : undefined;
}
interface PlainFetch {
  readonly words: readonly string[];
  /** Only a part of what it put out is shown. */
  readonly isCut: boolean;
}
const keepsNothing = ([name = '', ...args]: readonly string[]): boolean =>
  /^(?:gh|glab|npm|cargo)$/.test(name) || (name === 'curl' && args.every((word) => /^(?:[^-]|-[sSfkLI46mXH]+$)/.test(word)));
const isCutting = (command: ShellCommand): boolean => {
  const [name = '', ...args] = command.type === 'simple' ? (wordsOf(command) ?? []) : [];
  return /^(?:head|tail|cat)$/.test(name) && args.every((word) => /^-?\w*\d*$/.test(word) && /^-|^\d+$/.test(word));
};

function wordsOf({ words, assignments, redirections }: SimpleCommand): readonly string[] | undefined {
  const isInView = redirections.every(
    ({ operator, target, here }) => here === undefined && (/^>&$/.test(operator) || joinWordParts(target, () => undefined) === '/dev/null'),
  );
  const texts = words.map((word) => joinWordParts(word, () => undefined));
  return isInView && assignments.length === 0 && texts.every((text) => text !== undefined) ? texts : undefined;
}

/** Of several addresses one may have answered: the end tells of the last alone. */
const LONG =
  '^--(?:output|output-document|directory-prefix|max-time|connect-timeout|timeout|tries|write-out|header|request|data|retry|user-agent)$';
const VALUED: Readonly<Record<string, RegExp>> = {
  curl: new RegExp(`^-[a-zA-Z]*[owmXHdAeu]$|${LONG}`),
  wget: new RegExp(`^-[a-zA-Z]*[OPtT]$|${LONG}`),
};
const countsOne = ([name = '', ...args]: readonly string[]): boolean =>
  !Object.hasOwn(VALUED, name) ||
  (args.filter((word, at) => !word.startsWith('-') && VALUED[name]?.test(args[at - 1] ?? '') !== true).length <= 1 &&
    !args.some((word) => /^-[a-zA-Z]*[:Ki]|^--(?:config|next|url|input-file|include)/.test(word)));

/** What came went nowhere; a number may be told of it. */
const discards = ([, ...args]: readonly string[]): boolean => {
  const targets = args.filter((_word, at) => /^(?:-[a-zA-Z]*o|--output)$/.test(args[at - 1] ?? ''));
  return (
    targets.length > 0 &&
    targets.every((word) => word === '/dev/null') &&
    args.every(
      (word) =>
        !word.startsWith('-') ||
        /^-[sSfkLI46]*[owmXH]?$|^--(?:silent|show-error|fail|location|head|max-time|connect-timeout|output|write-out)$/.test(word),
    )
  );
};
