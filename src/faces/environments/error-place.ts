import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Where somebody's module is wrong, in words such as `line 3`; empty where nobody knows. Node tells it in the stack, or only when asked to check. */
export async function describeErrorPlace(error: unknown, path: string): Promise<string> {
  if (!(error instanceof Error)) return '';
  const found = findPlace(error.stack ?? '') ?? (error instanceof SyntaxError ? findPlace(await checkSyntax(path)) : undefined);
  if (found === undefined) return '';
  return found.file === path ? ` (line ${found.line})` : ` (${found.file}, line ${found.line})`;
}

/** The first line that names a file: above the message of a syntax error, below that of any other. */
function findPlace(text: string): { readonly file: string; readonly line: string } | undefined {
  const [, named, line] = /^(?:\s+at (?:.*\()?)?((?:file:\/\/)?\/.*?):(\d+)(?::\d+)?\)?$/m.exec(text) ?? [];
  if (named === undefined || line === undefined) return undefined;
  return { file: named.startsWith('file:') ? fileURLToPath(named) : named, line };
}

/** What Node says of a file without running it. */
const checkSyntax = (path: string): Promise<string> =>
  new Promise((resolve) => execFile(process.execPath, ['--check', path], (_error, _out, words) => resolve(words)));
