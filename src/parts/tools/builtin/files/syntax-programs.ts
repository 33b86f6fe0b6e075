import type { ToolContext } from '../../../../contracts/tool.ts';
import { toPlainShellCommand } from './plain-shell.ts';

export type CheckContext = Pick<ToolContext, 'terminal' | 'signal'>;

/** A program that parses what it is fed: it ends with `WRONG` and says why, or with any other code and is not believed. */
export interface Parser {
  /** Where it may lie, the best first. */
  readonly programs: readonly string[];
  /** The arguments before the script. */
  readonly flags: string;
  readonly script: string;
}

const WRONG = 98;
const CHECK_MS = 10_000;
const MAX_WORDS = 300;

/** Python and its standard library: `parse` works on `text`. A library that this Python does not have finds nothing. */
export const PYTHON = (parse: string): Parser => ({
  programs: ['python3'],
  flags: '-I -c',
  script: `import sys
text = sys.stdin.buffer.read().decode("utf-8", "replace").lstrip("\\ufeff")
try:
    ${parse}
except ImportError:
    pass
except Exception as error:
    words, line = str(getattr(error, "msg", None) or error), getattr(error, "lineno", None)
    column = getattr(error, "offset", None) or getattr(error, "colno", None)
    print(words + (" (line %s, column %s)" % (line, column) if line and "(at line" not in words else ""))
    sys.exit(${WRONG})`,
});

/** The Node that runs us, or one of the place. What it understands and cannot run is no error. */
export const TYPESCRIPT: Parser = {
  programs: [process.execPath, 'node'],
  flags: '--no-warnings -e',
  script: `const { stripTypeScriptTypes } = require('node:module');
const text = require('node:fs').readFileSync(0, 'utf8');
try {
  stripTypeScriptTypes?.(text);
} catch (error) {
  if (error.code !== 'ERR_INVALID_TYPESCRIPT_SYNTAX') process.exit(0);
  // Before its message the error draws the place: a line number, the line, and marks below it.
  const [, line, before] = /^.*:(\\d+)\\n(?:.*\\n)*?([ \\t]*)\\^/.exec(String(error.stack)) ?? [];
  console.log(String(error.message).trim() + (line === undefined ? '' : ' (line ' + line + ', column ' + (before.length + 1) + ')'));
  process.exit(${WRONG});
}`,
};

/** Asks the parser in the place where the file lies; without one there nothing is said. */
export function createProgramCheck({
  programs,
  flags,
  script,
}: Parser): (text: string, context: CheckContext) => Promise<string | undefined> {
  const run = `script=$1; shift; for program; do command -v "$program" >/dev/null 2>&1 && exec "$program" ${flags} "$script"; done`;
  return async (text, { terminal, signal }) => {
    const { exitCode, output } = await terminal.run(toPlainShellCommand(run, script, ...programs), {
      signal,
      timeoutMs: CHECK_MS,
      maxOutput: 1_000,
      cwd: '/',
      stdin: text,
    });
    return exitCode === WRONG ? output.trim().replaceAll(/\s+/g, ' ').slice(0, MAX_WORDS) : undefined;
  };
}
