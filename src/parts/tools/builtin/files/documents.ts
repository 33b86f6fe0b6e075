import { extname } from 'node:path';
import { ToolFailure, type ToolContext } from '../../../../contracts/tool.ts';
import { readBytes } from './content.ts';
import type { Location } from './locate.ts';
import { renderNotebook } from './notebook.ts';
import { toPlainShellCommand } from './plain-shell.ts';

/** A document's words, and how they were come by. */
export interface DocumentText {
  readonly text: string;
  readonly how: string;
}
type ExtractDocument = (place: Location, context: ToolContext) => Promise<DocumentText | undefined>;

/** Text out of files that hold some but are none; `undefined` for every other file. Adding a kind is a row. */
export const extract: ExtractDocument = async (place, context) => EXTRACTORS.get(extname(place.path).toLowerCase())?.(place, context);

/** A larger one is for commands. */
const MAX_NOTEBOOK = 64_000_000;

/** One that cannot be understood is read as the text it is. */
const notebook: ExtractDocument = async (place, { terminal, signal }) => {
  const bytes = await readBytes(terminal.files, place.real, signal, MAX_NOTEBOOK);
  const text = renderNotebook(bytes.toString('utf8'));
  return text === undefined ? undefined : { text, how: 'the notebook’s cells; patch and write_file work on its JSON' };
};

interface DocumentProgram {
  readonly name: string;
  /** How it is called; the file is `$1`. */
  readonly call: string;
  readonly what: string;
  readonly brings: string;
}
const PDF: DocumentProgram = { name: 'pdftotext', call: 'pdftotext -layout -enc UTF-8 "$1" -', what: 'a PDF', brings: 'poppler-utils' };
const word = (format: string, what: string): DocumentProgram => ({
  name: 'pandoc',
  // Documents may come from anywhere: they must not make it read other files.
  call: `pandoc --sandbox --from=${format} --to=gfm --wrap=none "$1"`,
  what,
  brings: 'pandoc',
});

const by =
  (program: DocumentProgram): ExtractDocument =>
  async (place, { terminal, signal }) => {
    const script = `command -v ${program.name} >/dev/null || exit ${ABSENT}; ${program.call} 2>/dev/null`;
    const { exitCode, output } = await terminal.run(toPlainShellCommand(script, place.real), {
      signal,
      timeoutMs: PROGRAM_MS,
      maxOutput: MAX_TEXT,
      cwd: '/',
    });
    if (exitCode === 0) return { text: output, how: `text extracted by ${program.name}` };
    const why =
      exitCode === ABSENT || exitCode === null
        ? `${program.name} is not there to turn it into text (package ${program.brings})`
        : `${program.name} could not turn it into text (exit code ${exitCode})`;
    throw new ToolFailure(`Refused: ${place.shown} is ${program.what}, and ${why}. Look at it with a suitable command.`);
  };
const ABSENT = 97;
const PROGRAM_MS = 50_000;
const MAX_TEXT = 20_000_000;

const EXTRACTORS: ReadonlyMap<string, ExtractDocument> = new Map([
  ['.ipynb', notebook],
  ['.pdf', by(PDF)],
  ['.docx', by(word('docx', 'a Word document'))],
  ['.xlsx', by(word('xlsx', 'a spreadsheet'))],
]);
