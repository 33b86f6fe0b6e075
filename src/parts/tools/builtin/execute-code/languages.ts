import { quoted } from '../files/plain-shell.ts';
import { JAVASCRIPT_BOOT, JAVASCRIPT_PRELUDE } from './javascript.ts';
import { PYTHON_BOOT, PYTHON_PRELUDE } from './python.ts';

export interface Language {
  /** The program without its arguments, as a command would call it. */
  readonly program: string;
  /** The command that runs a script; everything it needs comes on its first line of input. */
  readonly command: string;
  readonly prelude: string;
  readonly ending: string;
}

/** Adding a language is a row. The shell gives its place to the program: it would die of a request to end that the script can hear. */
export const LANGUAGES = {
  python: { program: 'python3', command: `exec python3 -u -c ${quoted(PYTHON_BOOT)}`, prelude: PYTHON_PRELUDE, ending: '.py' },
  javascript: { program: 'node', command: `exec node -e ${quoted(JAVASCRIPT_BOOT)}`, prelude: JAVASCRIPT_PRELUDE, ending: '.mjs' },
} as const satisfies Readonly<Record<string, Language>>;

/** The script as a command that can be judged: a program fed by a here-document, whose end does not stand in the code. */
export function asCommand(program: string, code: string): string {
  const lines = new Set(code.split('\n').map((line) => line.trim()));
  let end = 'EOF';
  while (lines.has(end)) end += '_';
  return `${program} - <<'${end}'\n${code}\n${end}`;
}
