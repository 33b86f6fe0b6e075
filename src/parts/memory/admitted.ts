import type { AdmitText } from '../../contracts/scan.ts';

/** An entry as the model may see it. A blocked one stays in its file: only its owner takes it out. */
export interface AdmittedEntry {
  readonly text: string;
  /** The text, or the marker that stands for it. */
  readonly shown: string;
  readonly blocked: boolean;
  readonly notices: readonly string[];
}

export const admitEntries = (entries: readonly string[], file: string, admit: AdmitText): AdmittedEntry[] =>
  entries.map((text, index) => {
    const admission = admit(text, { kind: 'memory', name: `${file} entry ${index + 1}`, owned: true });
    return admission.allow
      ? { text, shown: text, blocked: false, notices: admission.notices }
      : { text, shown: admission.marker, blocked: true, notices: [admission.notice] };
  });
