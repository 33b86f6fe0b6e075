import type { AdmitText, TextOrigin } from '../../../contracts/scan.ts';
import { cutToSize } from './cut.ts';
import type { RulesFile } from './rules-file.ts';

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
