import { extname } from 'node:path';
import { toErrorMessage } from '../../../../base/errors.ts';
import { createProgramCheck, PYTHON, TYPESCRIPT, type CheckContext } from './syntax-programs.ts';

/** One line about a syntax error the new text brings in; none when the old text had one too. Adding a language is a row. */
export async function reportNewSyntaxError(
  path: string,
  before: string | undefined,
  after: string,
  context: CheckContext,
): Promise<readonly string[]> {
  const check = checkFor(path);
  if (check === undefined || after.length > MAX_CHECKED) return [];
  const error = await check(after, context);
  if (error === undefined || (before !== undefined && (await check(before, context)) !== undefined)) return [];
  return [`Warning: the text is written, but it has a syntax error: ${error}`];
}

/** Whether a file of this name is checked, so that its old text must be known whole. */
export const isChecked = (path: string): boolean => checkFor(path) !== undefined;

/** What is wrong with a text; `undefined` when nothing is, or when there is nobody to tell. */
type CheckSyntax = (text: string, context: CheckContext) => string | undefined | Promise<string | undefined>;
const checkFor = (path: string): CheckSyntax | undefined => CHECKS.get(extname(path).toLowerCase());
/** A longer text takes longer to check than the warning is worth. */
const MAX_CHECKED = 1_000_000;

const CHECKS: ReadonlyMap<string, CheckSyntax> = new Map(
  Object.entries({
    '.json': jsonError,
    '.yaml': yamlError,
    '.yml': yamlError,
    '.ts': createProgramCheck(TYPESCRIPT),
    '.mts': createProgramCheck(TYPESCRIPT),
    '.cts': createProgramCheck(TYPESCRIPT),
    '.py': createProgramCheck(PYTHON('import ast; ast.parse(text)')),
    '.toml': createProgramCheck(PYTHON('import tomllib; tomllib.loads(text)')),
  } satisfies Record<string, CheckSyntax>),
);

function jsonError(text: string): string | undefined {
  try {
    JSON.parse(text.replace(/^\u{feff}/u, ''));
    return undefined;
  } catch (error) {
    return toErrorMessage(error);
  }
}

async function yamlError(text: string): Promise<string | undefined> {
  // A template becomes YAML only when it is filled in.
  if (/\{\{|\{%/.test(text)) return undefined;
  const { LineCounter, parseAllDocuments } = await import('yaml');
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
  const error = Array.isArray(documents) ? documents.flatMap((document) => document.errors)[0] : undefined;
  if (error === undefined) return undefined;
  const { line, col } = lines.linePos(error.pos[0]);
  return `${error.message} (line ${line}, column ${col})`;
}
