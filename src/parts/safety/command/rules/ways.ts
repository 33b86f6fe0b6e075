import type { CommandRule } from '../call/call.ts';
import { isLossVerb, soundsLikeLoss } from './loss.ts';
import { ask } from './rows.ts';
import type { Vendors, VendorWays } from './vendors/vendor.ts';

type MatchWord = (word: string) => boolean;
type WordPattern = readonly (MatchWord | 'nouns' | 'rest')[];
interface ParsedWays {
  readonly ways: readonly WordPattern[];
  readonly not: readonly WordPattern[];
  readonly sharp: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  readonly looks: WordPattern[number] | undefined;
  readonly bare: boolean;
}
const words = (text = ''): string[] => text.split(/\s+/).filter((word) => word !== '');
/** Behind a verb that looks these are verbs again: it was a noun. */
const CHANGES = new Set(
  'create update set add put attach assign enable edit modify patch replace import rebuild resize scale start stop restart reboot deploy'.split(
    ' ',
  ),
);
/** Nouns that may stand before a verb. */
const MAX_NOUNS = 5;

function stepOf(alternatives: string): WordPattern[number] {
  if (alternatives === '...') return 'rest';
  if (alternatives === '**') return 'nouns';
  if (alternatives === '*') return (word) => !isLossVerb(word);
  const [plain, stars] = [new Set<string>(), [] as RegExp[]];
  for (const each of alternatives.split('|'))
    if (each.includes('*')) stars.push(new RegExp(`^${each.replaceAll(/[.+?]/g, '\\$&').replaceAll('*', '[^]*')}$`));
    else plain.add(each);
  return (word) => plain.has(word) || stars.some((star) => star.test(word));
}

const waysOf = (text?: string): WordPattern[] => words(text).map((way) => way.split('/').map(stepOf));
const parseWays = ({ fine, not, sharp, values, looks, bare }: VendorWays): ParsedWays => ({
  ways: waysOf(fine),
  not: waysOf(not),
  sharp: new Set(words(sharp)),
  values: new Set(words(values)),
  looks: looks === undefined ? undefined : stepOf(words(looks).join('|')),
  bare: bare === undefined,
});

/** The words besides flags, up to where another command begins. */
function verbsOf(args: readonly string[], values: ReadonlySet<string>): string[] {
  const said: string[] = [];
  for (let at = 0; at < args.length && args[at] !== '--'; at++) {
    const word = args[at] ?? '';
    if (!word.startsWith('-')) said.push(word);
    else if (values.has(word)) at++;
  }
  return said;
}

/** A way that is not said to its end only shows what could follow. */
function goes(way: WordPattern, said: readonly string[]): boolean {
  const [step, ...rest] = way;
  // A verb of loss behind a known way is one more verb, not a name.
  if (step === undefined) return !isLossVerb(said[0] ?? '');
  if (step === 'rest' || said.length === 0) return true;
  if (step !== 'nouns') return step(said[0] ?? '') && goes(rest, said.slice(1));
  for (let nouns = 0; nouns < Math.min(MAX_NOUNS, said.length); nouns++) {
    if (nouns > 0 && soundsLikeLoss(said[nouns - 1] ?? '')) return false;
    if (goes(rest, said.slice(nouns))) return !CHANGES.has(said[nouns + rest.length] ?? '');
  }
  return false;
}

/** An exception holds when all of it is said, its flags anywhere. */
function holds(way: WordPattern, said: readonly string[], flags: readonly string[]): boolean {
  const [step, ...rest] = way;
  if (step === undefined || step === 'rest') return true;
  if (step === 'nouns') return said.some((_, index) => holds(rest, said.slice(index), flags));
  if (said[0] !== undefined && step(said[0])) return holds(rest, said.slice(1), flags);
  return rest.length === 0 && flags.some(step);
}
/** Flags as they may be asked for: with and without their value, and each letter of several that stand together. */
const flagsOf = (args: readonly string[]): string[] =>
  args.flatMap((word, index) => {
    if (!/^-./.test(word)) return [];
    const letters = /^-[a-zA-Z]{2,5}$/.test(word) ? word.slice(1).split('') : [];
    return [word, word.replace(/=.*$/s, ''), `${word}=${args[index + 1] ?? ''}`, ...letters.map((letter) => `-${letter}`)];
  });

const isHelp = (word: string): boolean =>
  /^(?:--help|-help|--dry-?run(?:=(?:client|server|true|strict))?|--validate-only|--what-if)$/.test(word);

/** A rule out of a table of vendors: whatever is not known to be fine is asked about. */
export function askBeyondWays(key: string, reason: string, vendors: Vendors): CommandRule {
  const byName = new Map<string, VendorWays>();
  for (const [names, ways] of Object.entries(vendors)) for (const name of names.split(' ')) byName.set(name, ways);
  const cache = new Map<string, ParsedWays>();
  return ask(key, reason, (name, args) => {
    const ways = byName.get(name);
    if (ways === undefined) return false;
    const tool = cache.get(name) ?? parseWays(ways);
    cache.set(name, tool);
    return isBeyond(tool, args);
  });
}

function isBeyond(tool: ParsedWays, args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  if (own.some(isHelp) || (own.length === 1 && /^(?:-[vVh]|--?version)$/.test(own[0] ?? ''))) return false;
  const said = verbsOf(own, tool.values);
  const flags = flagsOf(own);
  if (flags.some((flag) => tool.sharp.has(flag)) || tool.not.some((way) => holds(way, said, flags))) return true;
  if (typeof tool.looks === 'function' && flags.some(tool.looks)) return false;
  if (said.length === 0) return !tool.bare;
  return !tool.ways.some((way) => goes(way, said));
}
