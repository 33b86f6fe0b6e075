import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { toErrorMessage } from '../../../base/errors.ts';
import { replaceFile } from '../../../base/replace-file.ts';
import { readTextFile } from '../../../base/text-file.ts';
import type { AdmitText } from '../../../contracts/scan.ts';
import { admitFile } from './admitted.ts';
import type { LoadedText } from './context.ts';
import { CONTEXT_LIMITS } from './kinds.ts';
import { showPath } from './names.ts';
import { MAX_BYTES } from './rules-file.ts';

/**
 * The identity its owner wrote, bare. Without a text the caller's own identity holds: the file is blank, cannot be read or
 * is refused. A marker in its place would leave the agent without any.
 */
export function readSoul(homeRoot: string, admit: AdmitText, defaultText: string, most: number = CONTEXT_LIMITS.file): LoadedText {
  const path = join(homeRoot, 'SOUL.md');
  const read = readTextFile(path, MAX_BYTES);
  if (!read.ok) return read.missing && isFree(path) ? created(path, defaultText) : unusable(path, read.why);
  const text = read.text.trim();
  if (text === '') return { notices: [] };
  const soul = admitFile({ path, text, inPlace: read.text }, { kind: 'soul', name: 'SOUL.md', owned: true }, most, admit, 'unreadable');
  return { ...(!soul.blocked && { text: soul.text }), notices: soul.notices };
}

/** A link whose other end is away just now is not to be replaced by a file. */
function isFree(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    // Its folder is none: writing will say so.
    return true;
  }
}

function created(path: string, defaultText: string): LoadedText {
  const text = defaultText.trim();
  try {
    replaceFile(path, `${text}\n`);
    return { text, notices: [] };
  } catch (error) {
    return { text, notices: [`${showPath(path)} could not be created: ${toErrorMessage(error)}. The default identity is used.`] };
  }
}

const unusable = (path: string, why: string): LoadedText => ({
  notices: [`${showPath(path)} could not be used: ${why}. The default identity is used; make it a readable text file, or remove it.`],
});
