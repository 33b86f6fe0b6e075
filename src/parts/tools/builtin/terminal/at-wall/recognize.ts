import { withoutAnsi } from '../../command-line/ansi.ts';
import { parseLineParts } from '../../command-line/shell-line.ts';
import type { RecognizedBlock, WallFailure } from './failure.ts';
import { findRefusedPorts, WALL_SIGNS } from './signs.ts';

/** How much of an output is looked at, from its end, and how many things a question or a note can tell of. */
const MAX_READ = 20_000;
const MAX_BLOCKS = 4;

/**
 * What of a failed command the wall stopped: what is known for certain, then what its programs say about it, each thing once.
 * Nothing for a command that did what it was to do, and for a failure that would be the same outside.
 */
export function recognizeWallBlocks(failure: WallFailure): readonly RecognizedBlock[] {
  const known: readonly RecognizedBlock[] = (failure.blocked ?? []).map((block) => ({ block, confidence: 'certain', words: '' }));
  const outcome = outcomeOf(failure);
  if (outcome === 'done') return known.map((each) => (each.block.type === 'port' ? { ...each, meanwhile: true } : each));
  const told = withoutAnsi(failure.output.slice(-MAX_READ))
    .split('\n')
    .map((line) => line.trim().slice(0, 500))
    .filter((line) => outcome !== 'shown' || READER_SAYS.test(line) || SHELL_SAYS.test(line))
    .flatMap((line) => blocksIn(line.replace(SHELL_SAYS, ''), failure));
  if (outcome === 'failed' && told.length === 0) told.push(...silentBlocks(failure));
  // Of a program whose exit code is lost behind another's, only what is sure counts.
  const sure = outcome === 'hidden' ? told.filter(({ confidence }) => confidence === 'certain') : told;
  // Of a port, the words of the program say more than that it was refused.
  const isPort = ({ block }: RecognizedBlock): boolean => block.type === 'port';
  return distinct([...known.filter((each) => !isPort(each)), ...sure, ...known.filter(isPort)]).slice(0, MAX_BLOCKS);
}

/** Programs that were told to say nothing, and the exit code by which they say that nobody took the connection. */
const SILENT: Readonly<Record<string, number>> = { curl: 7, wget: 4 };

function silentBlocks(failure: WallFailure): readonly RecognizedBlock[] {
  const last = parseLineParts(failure.command).at(-1)?.pipeline.at(-1);
  if (last === undefined || SILENT[last.words[0] ?? ''] !== failure.exitCode) return [];
  return findRefusedPorts('', { ...failure, command: last.source }).map((block) => ({ block, confidence: 'certain', words: '' }));
}

function blocksIn(line: string, failure: WallFailure): readonly RecognizedBlock[] {
  if (line === '') return [];
  for (const { says, stopped, certain } of WALL_SIGNS) {
    const match = says.exec(line);
    const blocks = match === null ? [] : stopped(line, match, failure).filter((block) => block !== undefined);
    if (blocks.length > 0) return blocks.map((block) => ({ block, confidence: certain === true ? 'certain' : 'likely', words: line }));
  }
  return [];
}

function distinct(blocks: readonly RecognizedBlock[]): readonly RecognizedBlock[] {
  const seen = new Set<string>();
  return blocks.filter(({ block }) => {
    // A host is one, whatever is known of its port.
    const name = block.type === 'host' ? `host ${block.host}` : JSON.stringify(block);
    return !seen.has(name) && seen.add(name);
  });
}

/** A shell names itself before the file it speaks of. */
const SHELL_SAYS = /^\/?(?:\w+\/)*(?:ba|da|z|k)?sh: (?:line )?(?:\d+: )?/;

/** Programs that show what they find: words of a failure in it are somebody else's. Their own begin with their name. */
const READERS =
  'cat|head|tail|grep|egrep|fgrep|rg|less|more|awk|sed|cut|sort|uniq|wc|jq|tr|nl|column|tee|ls|find|diff|strings|xxd|file|stat';
const READS = new RegExp(`^(?:${READERS})$`);
const READER_SAYS = new RegExp(`^(?:${READERS}): `);
const SAYS_NOTHING = /^(?:cd|echo|printf|true|false|exit|test|\[|\[\[|:|set|export|sleep|pwd|date)$/;

/**
 * `failed`: it says so. `hidden`: another program stands behind the one that may have failed (`… | tail`, `… || true`).
 * `shown`: all it ran were programs that show something. `done`: it went through.
 */
function outcomeOf({ command, exitCode }: WallFailure): 'failed' | 'hidden' | 'shown' | 'done' {
  const parts = parseLineParts(command);
  const programs = parts.flatMap(({ pipeline }) => pipeline.map(({ words }) => words[0] ?? ''));
  if (programs.some((name) => READS.test(name)) && programs.every((name) => READS.test(name) || SAYS_NOTHING.test(name)))
    return exitCode === 0 ? 'done' : 'shown';
  if (exitCode !== 0) return 'failed';
  const last = parts.at(-1)?.pipeline ?? [];
  const isMasked = (last.length > 1 && READS.test(last.at(-1)?.words[0] ?? '')) || SAYS_NOTHING.test(last[0]?.words[0] ?? '');
  return isMasked ? 'hidden' : 'done';
}
