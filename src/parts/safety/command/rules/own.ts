import { resolveReachedPath } from '../places/paths.ts';
import type { ShellContext } from '../places/shell-context.ts';
import { type Call, type CommandRule, toProgramName } from '../call/call.ts';
import { findRow, toWordSet } from '../../../../base/word-tables.ts';
import { ask, listFlagValues } from './rows.ts';
import { findWriteTargets } from './targets.ts';

const KEY = 'own_rules';
/** Its verbs, by which a file of a common name is known for it. */
const VERBS = toWordSet(`
  chat demo replay usage doctor prompt memory skills sessions config tools approvals checkpoints trash mcp gateway cron plugins pairing
  hooks send profile update uninstall trust
`);
/** Uses that only look. What is not here changes its rules, its memory or its tools, or lets another run of it act with nobody watching. */
const LOOKS =
  /^(?:help|version|usage|doctor|replay|prompt scan|approvals (?:list|show)|checkpoints (?:list|show|diff|status)|memory (?:list|path)|skills (?:list|view|check)|sessions (?:list|show|search)|config (?:get|path|check|schema|explain)|(?:tools|mcp|plugins|pairing|hooks|trash|trust) list|gateway (?:status|list)|cron (?:list|status|history)|profile (?:list|show))(?: |$)/;
/** A verb that stands alone, where it needs another, only shows what could follow. */
const ALONE = toWordSet('chat demo update uninstall trust');
function looksOnly(words: readonly string[]): boolean {
  const said = words.filter((word, at) => !word.startsWith('-') && !/^(?:-p|--profile)$/.test(words[at - 1] ?? ''));
  if (words.some((word) => word.startsWith('--yolo')) || said.length === 0)
    return words.length === 1 && /^(?:-[vVh]|--?version|--help)$/.test(words[0] ?? '');
  return said.length === 1 && VERBS.has(said[0] ?? '') ? !ALONE.has(said[0] ?? '') : LOOKS.test(said.join(' '));
}
/** Programs that run a file they are given: what follows it is the file's own. */
const RUNS_FILES = /^(?:node|nodejs|bun|deno|tsx|ts-node|(?:ba|da|z|k)?sh|source|\.)$/;
/** The bundle and its source go by names that others have as well. */
const BUNDLE = /(?:^|\/)(?:dist\/(?:build-[^/]+\/)?main\.[cm]?js|src\/main\.ts)$/;

/** Where a path leads, links followed. */
const end = (word: string, place: ShellContext): string => resolveReachedPath(word, place) ?? word;
function isBundle(word: string, verb: string, place: ShellContext): boolean {
  const path = end(word, place);
  if (!BUNDLE.test(path)) return false;
  const folder = path.replace(/\/(?:dist(?:\/build-[^/]+)?|src)\/[^/]+$/, '');
  return /hermes[^/]*$/.test(folder) || VERBS.has(verb) || place.look?.(`${folder}/bin/hermes`) !== undefined;
}
const isHermes = (word: string, verb: string, place: ShellContext): boolean =>
  toProgramName(word) === 'hermes' || (word.includes('/') && (toProgramName(end(word, place)) === 'hermes' || isBundle(word, verb, place)));

/** The words for this program, however it is called; nothing when another is. */
function findOwnArguments({ path, name, args }: Call, place: ShellContext): readonly string[] | undefined {
  if (name === 'hermes' || isHermes(path, args[0] ?? '', place)) return args;
  if (!RUNS_FILES.test(name)) return undefined;
  const at = args.findIndex((word) => !/^-./.test(word) && !/^(?:run|-r|--require|--import)$/.test(word));
  return at >= 0 && isHermes(args[at] ?? '', args[at + 1] ?? '', place) ? args.slice(at + 1) : undefined;
}
/** Help at its end is a question; elsewhere it may be the value of another flag. */
const asksForHelp = (args: readonly string[]): boolean =>
  args.length < 5 && /^(?:-h|--help)$/.test(args.at(-1) ?? '') && !args.slice(0, -1).some((word) => word.startsWith('-'));

/** What types for the owner: verbs by which a program puts keys where somebody else reads them. */
const TYPES: Readonly<Record<string, RegExp>> = {
  tmux: /^(?:send(?:-[a-z]*)?|paste[a-z-]*|respawn[a-z-]*)$/,
  screen: /^(?:stuff|paste|eval|readbuf|process)\b/,
  xdotool: /^(?:type|key|keydown|keyup|click|mousedown)$/,
  zellij: /^(?:write|write-chars)$/,
  kitty: /^(?:send-text|send-key)$/,
  kitten: /^(?:send-text|send-key)$/,
  wezterm: /^send-text$/,
  osascript: /\b(?:keystroke|key code)\b/,
};
const TYPISTS = toWordSet('wtype ydotool dotool dotoolc xte xvkbd ttyecho writevt evemu-event evemu-play uinput-send');
/** Terminals of people, the keyboard, and the screens of the machine; a line to a board on the desk is none. */
const TERMINALS = /^\/dev\/(?:pts\/|tty(?:\d|$)|console$|vcsa?\d*$|input\/|uinput$)/;
/** A system call by which a program types into a terminal. */
const STUFFS = /\bTIOCSTI\b|\b0x5412\b|\b21522\b|\bTIOCLINUX\b/;
const READS_CODE = /^(?:python|perl|ruby|node|php|lua|tclsh|gcc|cc|clang|tcc|bash|sh)[\d.]*$/;

/** A terminal this line has opened is nobody else's. */
const takesOwnTerminal = ({ name, args, place }: Call): boolean =>
  name === 'tmux' && listFlagValues(args, /^-t$/).some((word) => place.made?.has(`tmux ${word.replace(/[:.].*$/, '')}`) === true);

/** What the agent would do to the rules it stands under. */
export const OWN: readonly CommandRule[] = [
  ask(KEY, "it changes the agent's own settings, or starts another agent that nobody watches", (call, place) => {
    const words = findOwnArguments(call, place);
    return words !== undefined && !asksForHelp(words) && !looksOnly(words);
  }),
  ask(KEY, 'it types into a terminal, where it could answer questions meant for you', (call) => {
    const { name, args } = call;
    if (TYPISTS.has(name)) return !args.includes('--help');
    const types = findRow(TYPES, name);
    return types !== undefined && args.some((word) => types.test(word)) && !takesOwnTerminal(call);
  }),
  ask(KEY, "it writes to someone's terminal or keyboard", (call, place) =>
    findWriteTargets(call).some((word) => TERMINALS.test(end(word, place))),
  ),
  ask(
    KEY,
    'its code types into a terminal',
    ({ name, args, fed }) => READS_CODE.test(name) && [...args, ...fed].some((text) => text.length < 50_000 && STUFFS.test(text)),
  ),
];
