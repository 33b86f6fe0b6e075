import type { Terminal } from '../../../../contracts/terminal.ts';
import { ToolFailure } from '../../../../contracts/tool.ts';
import { grepInTerminal, PLAIN_PROGRAMS } from './grep-in-terminal.ts';
import { createNameMatcher } from './names.ts';
import type { SearchEngine, SearchMode } from './query.ts';
import { toRipgrepArguments, READERS, refuseBadPattern } from './ripgrep.ts';
import { streamScriptLines } from './script-lines.ts';

/** Searches where commands run: with ripgrep if it is there, else with the programs every system has. */
export const searchInTerminal = (terminal: Terminal, bundled = ''): SearchEngine =>
  async function* (query, signal) {
    const { ripgrep, missing } = await findPrograms(terminal, bundled, signal);
    if (ripgrep === '') mustHave(query.mode, missing);
    yield* (ripgrep === '' ? grepInTerminal(terminal) : ripgrepInTerminal(terminal, ripgrep))(query, signal);
  };

interface SearchPrograms {
  /** Empty when it is not there. */
  readonly ripgrep: string;
  /** What is not there of the others. */
  readonly missing: readonly string[];
}
const programs = new WeakMap<Terminal, SearchPrograms>();
/** Our own ripgrep may be seen from a sandbox; elsewhere its path means nothing, and nothing is there. */
const FIND =
  'if command -v rg >/dev/null 2>&1; then echo rg; elif [ -n "$1" ] && [ -x "$1" ]; then printf "%s\\n" "$1"; ' +
  'else shift; for name; do command -v "$name" >/dev/null 2>&1 || printf "missing %s\\n" "$name"; done; fi';

async function findPrograms(terminal: Terminal, bundled: string, signal: AbortSignal): Promise<SearchPrograms> {
  const known = programs.get(terminal);
  if (known !== undefined) return known;
  const lines: string[] = [];
  for await (const line of streamScriptLines(terminal, { text: FIND, args: [bundled, ...PLAIN_PROGRAMS] }, signal)) lines.push(line);
  const missing = lines.flatMap((line) => /^missing (.+)$/.exec(line)?.[1] ?? []);
  const found = { ripgrep: missing.length > 0 ? '' : (lines.at(-1) ?? ''), missing };
  // What is missing may be installed meanwhile.
  if (!signal.aborted && missing.length === 0) programs.set(terminal, found);
  return found;
}

function mustHave(mode: SearchMode, missing: readonly string[]): void {
  const lacking = mode === 'files' ? missing.filter((name) => name === 'find' || name === 'stat') : missing;
  if (lacking.length > 0)
    throw new ToolFailure(
      `Not searched: where commands run there is neither ripgrep (rg) nor ${lacking.join(', ')}. Install one or the other there, or look with commands that are there.`,
    );
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
