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

/** Whether the model can read a file that it is shown a part of. */
export type FileAccess = 'readable' | 'unreadable';

/** The whole text is judged before it is cut: nothing hides in the middle, and no cut parts a pattern in two. */
export function admitFile(
  file: RulesFile,
  origin: TextOrigin,
  most: number,
  admit: AdmitText,
  access: FileAccess = 'readable',
): AdmittedFile {
  const admission = admit(file.inPlace, { ...origin, path: file.path });
  if (!admission.allow) return { text: admission.marker, blocked: true, notices: [admission.notice] };
  const cut = cutToSize(file.text, most, file.path, access);
  return { text: cut.text, blocked: false, notices: [...admission.notices, ...cut.notices] };
}

interface CutText {
  readonly text: string;
  /** For the owner, when something was left out. */
  readonly notices: readonly string[];
}

/** Seven tenths of the room for the beginning, two for the end; the last one is for the words between them. */
function cutToSize(text: string, most: number, path: string, access: FileAccess): CutText {
  if (text.length <= most) return { text, notices: [] };
  const head = toLastLineEnd(takeStart(text, Math.floor((most * 7) / 10)));
  const tail = fromFirstLineStart(takeEnd(text, Math.floor((most * 2) / 10)));
  const kept = `the first ${head.length} and the last ${tail.length} of ${text.length} characters`;
  const advice = access === 'readable' ? ' Read the file if you need the middle.' : '';
  const mark = `[... Cut here: you see ${kept} of ${showPath(path)}.${advice} ...]`;
  const notice = `${showPath(path)} is longer than ${most} characters: the model sees ${kept}. Shorten it, or move parts into files it can read.`;
  return { text: `${head}\n\n${mark}\n\n${tail}`, notices: [notice] };
}

/** Whole lines, where that costs no more than half of the text: a rule that lost its end may say the opposite. */
const toLastLineEnd = (text: string): string => {
  const end = text.lastIndexOf('\n');
  return end < text.length / 2 ? text : text.slice(0, end);
};
const fromFirstLineStart = (text: string): string => {
  const start = text.indexOf('\n') + 1;
  return start === 0 || start > text.length / 2 ? text : text.slice(start);
};
