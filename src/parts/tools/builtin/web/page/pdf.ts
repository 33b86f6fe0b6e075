import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 20_000_000;

export type PdfText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** The text of a PDF by the system's own program. */
export async function extractPdfText(body: Buffer, program: string, signal: AbortSignal): Promise<PdfText> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-pdf-'));
  const file = join(folder, 'page.pdf');
  try {
    await writeFile(file, body, { mode: 0o600 });
    return await run(program, ['-q', '-enc', 'UTF-8', file, '-'], signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(program: string, args: readonly string[], signal: AbortSignal): Promise<PdfText> {
  const { promise, resolve } = Promise.withResolvers<PdfText>();
  // Nothing of our environment is its business but where programs lie.
  const options = {
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_BYTES,
    signal,
    env: { PATH: process.env['PATH'] ?? '' },
    encoding: 'utf8',
  } as const;
  execFile(program, [...args], options, (error, text) => {
    if (error === null) return resolve({ ok: true, text: text.replaceAll('\f', '\n\n').trim() });
    const missing = 'code' in error && error.code === 'ENOENT';
    resolve({
      ok: false,
      reason: missing
        ? 'it is a PDF, and pdftotext, which would read it, is not installed here (Debian: apt install poppler-utils)'
        : `it is a PDF that pdftotext could not read (${error.message.split('\n')[0] ?? ''})`,
    });
  });
  return promise;
}
