import { isUtf8 } from 'node:buffer';
import { join, relative } from 'node:path';
import { lazy } from '../../../base/lazy.ts';
import { sha256 } from '../../../base/sha256.ts';
import { isWithin } from '../../../base/within.ts';
import type { FileStat, Files } from '../../../contracts/files.ts';
import type { EditorPort } from '../../../contracts/ports.ts';
import type { Terminal } from '../../../contracts/terminal.ts';

export interface EditorFilesOptions {
  /** The folder whose files the editor is asked about. */
  readonly root: string;
  /** The place keeps some files from being written: it writes first, and the editor only hears of it. */
  readonly isWalled: boolean;
}

/** A larger file is not asked for: nobody edits it by hand. */
const MAX_EDITED_BYTES = 2 * 1024 * 1024;
/** An editor that does not answer must not hold up a tool. */
const MAX_WAIT_MS = 5_000;

/** A terminal whose files are as the person's editor has them: what is not saved yet is read, and what is written appears there. */
export function createEditedTerminal(terminal: Terminal, editor: EditorPort | undefined, options: EditorFilesOptions): Terminal {
  if (editor?.readText === undefined && editor?.writeText === undefined) return terminal;
  return {
    ...terminal,
    get cwd() {
      return terminal.cwd;
    },
    get wall() {
      return terminal.wall;
    },
    files: createEditedFiles(terminal.files, editor, options),
    [Symbol.asyncDispose]: () => terminal[Symbol.asyncDispose](),
  };
}

export function createEditedFiles(files: Files, editor: EditorPort, { root, isWalled }: EditorFilesOptions): Files {
  const realRoot = lazy(() => files.real(root));
  /** What the editor calls a file: it knows its folder by the name it was opened under. */
  const toEditorPath = async (path: string): Promise<string | undefined> => {
    const real = await realRoot();
    return isWithin(real, path) ? join(root, relative(real, path)) : isWithin(root, path) ? path : undefined;
  };
  /** The text as the editor has it, in the form of the file, where it is another than the file's. */
  const readUnsaved = async (path: string, found: FileStat | undefined, signal: AbortSignal): Promise<Buffer | undefined> => {
    if (editor.readText === undefined || found?.kind !== 'file' || found.size > MAX_EDITED_BYTES) return undefined;
    const named = await toEditorPath(path);
    const saved = named === undefined ? undefined : asText(Buffer.concat(await Array.fromAsync(files.read(path, signal))));
    if (named === undefined || saved === undefined) return undefined;
    const text = await editor.readText(named, AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)])).catch(() => undefined);
    return text === undefined || toPlain(text) === toPlain(saved) ? undefined : Buffer.from(withFormOf(saved, text));
  };
  return {
    ...files,
    get home() {
      return files.home;
    },
    stat: async (path) => {
      const found = await files.stat(path);
      const unsaved = await readUnsaved(path, found, AbortSignal.timeout(MAX_WAIT_MS)).catch(() => undefined);
      if (found === undefined || unsaved === undefined) return found;
      return { ...found, size: unsaved.length, stamp: `${found.stamp}:${sha256(unsaved.toString())}` };
    },
    read: async function* (path, signal) {
      const unsaved = await readUnsaved(path, await files.stat(path), signal);
      if (unsaved === undefined) yield* files.read(path, signal);
      else yield unsaved;
    },
    write: async (path, bytes) => {
      const text = asText(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
      const named = text === undefined || editor.writeText === undefined ? undefined : await toEditorPath(path);
      if (text === undefined || named === undefined) return files.write(path, bytes);
      const isNew = (await files.stat(path)) === undefined;
      if (isWalled || isNew) await files.write(path, bytes);
      await editor.writeText?.(named, text, AbortSignal.timeout(MAX_WAIT_MS)).catch(() => undefined);
      // Whatever the editor did, the file holds what was to be written.
      if (!(await holds(files, path, text))) await files.write(path, bytes);
    },
  };
}

const asText = (bytes: Buffer): string | undefined => (isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : undefined);

const BOM = '\u{feff}';
/** Editors keep line ends and the mark at the beginning apart from the text. */
const toPlain = (text: string): string => (text.startsWith(BOM) ? text.slice(1) : text).replaceAll('\r\n', '\n');

function withFormOf(saved: string, text: string): string {
  const plain = toPlain(text);
  const lines = saved.includes('\r\n') ? plain.replaceAll('\n', '\r\n') : plain;
  return saved.startsWith(BOM) ? `${BOM}${lines}` : lines;
}

async function holds(files: Files, path: string, text: string): Promise<boolean> {
  try {
    const bytes = Buffer.concat(await Array.fromAsync(files.read(path, AbortSignal.timeout(MAX_WAIT_MS))));
    return toPlain(bytes.toString('utf8')) === toPlain(text);
  } catch {
    return false;
  }
}
