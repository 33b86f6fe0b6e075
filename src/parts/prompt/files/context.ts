import { safeHead } from '../../../base/text.ts';
import type { AdmitText } from '../../../contracts/scan.ts';
import { admitFile } from './admitted.ts';
import { findContextFiles } from './find.ts';
import { CONTEXT_LIMITS } from './kinds.ts';

export interface LoadedText {
  readonly text?: string;
  /** For the owner. */
  readonly notices: readonly string[];
}

const HEADING = '# Project Context';
const INTRODUCTION = 'The files below belong to the project in the working directory. Follow them in everything you do for it.';

/** The project's files as one section of the prompt. */
export function loadContextFiles(cwd: string, admit: AdmitText, most: number = CONTEXT_LIMITS.file): LoadedText {
  const found = findContextFiles(cwd);
  if (found.files.length === 0) return { notices: found.notices };
  const sections = found.files.map((file) => {
    const { text, notices } = admitFile(file, { kind: 'context', name: file.name, owned: false }, most, admit);
    return { name: file.name, text: `## ${file.name}\n\n${text}`, notices };
  });
  const { fitting, names } = roomFor(sections);
  const text = [HEADING, INTRODUCTION, ...fitting, ...names.map(absentWords)].join('\n\n');
  return { text, notices: [...found.notices, ...sections.flatMap(({ notices }) => notices), ...names.map(absentNotice)] };
}

/** Whole files while there is room; of the others the names, as one text. The first always fits. */
function roomFor(sections: readonly { readonly name: string; readonly text: string }[]) {
  const fitting: string[] = [];
  const absent: string[] = [];
  let room: number = CONTEXT_LIMITS.together;
  for (const { name, text } of sections) {
    const fits = fitting.length === 0 || text.length <= room;
    (fits ? fitting : absent).push(fits ? text : name);
    if (fits) room -= text.length;
  }
  return { fitting, names: absent.length === 0 ? [] : [named(absent)] };
}

const named = (names: readonly string[]): string => {
  const all = names.join(', ');
  return all.length <= 1_000 ? all : `${safeHead(all, 1_000)} ... (${names.length} files in all)`;
};
const absentWords = (names: string): string =>
  `More rules of the project, left out here for want of room; read those that touch what you are about to do: ${names}`;
const absentNotice = (names: string): string =>
  `The project's rules have more than ${CONTEXT_LIMITS.together} characters together: the model is only told that these exist: ${names}. Shorten or join them.`;
