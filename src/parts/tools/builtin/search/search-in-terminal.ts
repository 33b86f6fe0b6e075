import type { Terminal } from '../../../../contracts/terminal.ts';
import { grepInTerminal } from './grep-in-terminal.ts';
import { createNameMatcher } from './names.ts';
import type { SearchEngine } from './query.ts';
import { toRipgrepArguments, READERS, refuseBadPattern } from './ripgrep.ts';
import { streamScriptLines } from './script-lines.ts';

/** Searches where commands run: with ripgrep if it is there, else with the programs every system has. */
export const searchInTerminal = (terminal: Terminal, bundled = ''): SearchEngine =>
  async function* (query, signal) {
    const program = await findSearchProgram(terminal, bundled, signal);
    yield* (program === '' ? grepInTerminal(terminal) : ripgrepInTerminal(terminal, program))(query, signal);
  };

const programs = new WeakMap<Terminal, string>();
/** Our own ripgrep may be seen from a sandbox; elsewhere its path means nothing, and nothing is there. */
const FIND = 'if command -v rg >/dev/null 2>&1; then echo rg; elif [ -n "$1" ] && [ -x "$1" ]; then printf "%s\\n" "$1"; fi';

async function findSearchProgram(terminal: Terminal, bundled: string, signal: AbortSignal): Promise<string> {
  const known = programs.get(terminal);
  if (known !== undefined) return known;
  let found = '';
  for await (const line of streamScriptLines(terminal, { text: FIND, args: [bundled] }, signal)) found = line;
  if (!signal.aborted) programs.set(terminal, found);
  return found;
}

/** Hits go out as they come; what it complained about follows in one line, should it have understood nothing. */
const RUN =
  'if [ -d "$1" ]; then cd -- "$1"; else cd -- "${1%/*}/"; fi; bin=$2; shift 2; ' +
  '{ err=$("$bin" "$@" 2>&1 1>&4); code=$?; } 4>&1; [ "$code" != 2 ] || printf "\\nE%s\\n" "$(printf "%s" "$err" | tr "\\n" "\\001")"';

const ripgrepInTerminal = (terminal: Terminal, program: string): SearchEngine =>
  async function* (query, signal) {
    const matches = createNameMatcher(query);
    for await (const line of streamScriptLines(
      terminal,
      { text: RUN, args: [query.root, program, ...toRipgrepArguments(query)] },
      signal,
    )) {
      if (line.startsWith('E')) refuseBadPattern(line.slice(1).replaceAll('\u{1}', '\n'));
      // Every path begins at the root: nothing else can be a hit.
      const hit = line.startsWith('/') ? READERS[query.mode](line.replace(/\r$/, '')) : undefined;
      if (hit !== undefined && (query.mode !== 'files' || matches(hit.path))) yield hit;
    }
  };
