import { quoteShellWord } from '../../../../base/shell.ts';
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
  python: { program: 'python3', command: `exec python3 -u -c ${quoteShellWord(PYTHON_BOOT)}`, prelude: PYTHON_PRELUDE, ending: '.py' },
  javascript: { program: 'node', command: `exec node -e ${quoteShellWord(JAVASCRIPT_BOOT)}`, prelude: JAVASCRIPT_PRELUDE, ending: '.mjs' },
} as const satisfies Readonly<Record<string, Language>>;
