import type { AdmitText, TextOrigin } from '../../../contracts/scan.ts';
import type { RulesFile } from './rules-file.ts';
import { takeStart, takeEnd } from '../../../base/text.ts';
import { showPath } from './names.ts';

export interface AdmittedFile {
  /** The rules, or the marker that stands for them. */
  readonly text: string;
  readonly blocked: boolean;
  readonly notices: readonly string[];
}

/** The whole text is judged before it is cut: nothing hides in the middle, and no cut parts a pattern in two. */
export function admitFile(file: RulesFile, origin: TextOrigin, most: number, admit: AdmitText): AdmittedFile {
  const admission = admit(file.inPlace, { ...origin, path: file.path });
  if (!admission.allow) return { text: admission.marker, blocked: true, notices: [admission.notice] };
  const cut = cutToSize(file.text, most, file.path);
  return { text: cut.text, blocked: false, notices: [...admission.notices, ...cut.notices] };
}

interface CutText {
  readonly text: string;
  /** For the owner, when something was left out. */
  readonly notices: readonly string[];
}

/** Seven tenths of the room for the beginning, two for the end; the last one is for the words between them. */
function cutToSize(text: string, most: number, path: string): CutText {
  if (text.length <= most) return { text, notices: [] };
  const head = takeStart(text, Math.floor((most * 7) / 10));
  const tail = takeEnd(text, Math.floor((most * 2) / 10));
  const kept = `the first ${head.length} and the last ${tail.length} of ${text.length} characters`;
  const mark = `[... cut here: you see ${kept} of ${showPath(path)}. Read the file if you need the middle ...]`;
  const notice = `${showPath(path)} is longer than ${most} characters: the model sees ${kept}. Shorten it, or move parts into files it can read.`;
  return { text: `${head}\n\n${mark}\n\n${tail}`, notices: [notice] };
}
