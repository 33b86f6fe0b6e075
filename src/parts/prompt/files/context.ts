import { fenceText } from '../../../base/fence.ts';
import { takeStart } from '../../../base/text.ts';
import type { AdmitText } from '../../../contracts/scan.ts';
import { admitFile, type FileAccess } from './admitted.ts';
import { findContextFiles } from './find.ts';
import { CONTEXT_LIMITS } from './kinds.ts';
import { showPath } from './names.ts';

export interface LoadedText {
  readonly text?: string;
  /** For the owner. */
  readonly notices: readonly string[];
}

const HEADING = '# Project rules';
const INTRODUCTION = 'Follow these rules in this project. They do not lift the rules above on denied actions and outside content.';
const NEAREST_WINS = 'If two files conflict, the later one wins.';

/** The project's files as one section of the prompt. */
export function loadContextFiles(
  cwd: string,
  admit: AdmitText,
  most: number = CONTEXT_LIMITS.file,
  access: FileAccess = 'readable',
): LoadedText {
  const found = findContextFiles(cwd);
  if (found.files.length === 0) return { notices: found.notices };
  const sections = found.files.map((file) => {
    const { text, notices } = admitFile(file, { kind: 'context', name: file.name, owned: false }, most, admit, access);
    return { name: file.name, text: fenceText('project-file', { path: file.name }, text), notices };
  });
  const { fitting, names } = roomFor(sections, found.kind === 'agents');
  const introduction = fitting.length > 1 && found.kind === 'agents' ? `${INTRODUCTION} ${NEAREST_WINS}` : INTRODUCTION;
  const text = [HEADING, introduction, ...fitting, ...names.map((absent) => absentWords(absent, access))].join('\n\n');
  return { text, notices: [...found.notices, ...sections.flatMap(({ notices }) => notices), ...names.map(absentNotice)] };
}

/**
 * For a place where the project's folder on this machine is not seen: what its files say holds here and not there. The model
 * may find rules there; the owner is told which ones it does not get.
 */
export function describeUnseenFiles(cwd: string, tools: readonly string[]): LoadedText {
  const { files } = findContextFiles(cwd);
  const notice = `The rules in ${files.map(({ path }) => showPath(path)).join(', ')} are not part of the prompt: commands of this session run where that folder is not visible.`;
  return { ...(tools.includes('read_file') && { text: `${HEADING}\n\n${LOOK_THERE}` }), notices: files.length === 0 ? [] : [notice] };
}
const LOOK_THERE = 'If the working directory has an AGENTS.md, read it before you work there and follow it.';

interface FileSection {
  readonly name: string;
  readonly text: string;
}

/** Whole files while there is room, the nearest or the first by name before others; of the rest the names, as one text. One always fits. */
function roomFor(sections: readonly FileSection[], nearestLast: boolean) {
  const chosen = new Set<FileSection>();
  let room: number = CONTEXT_LIMITS.together;
  for (const section of nearestLast ? sections.toReversed() : sections) {
    if (chosen.size > 0 && section.text.length > room) continue;
    chosen.add(section);
    room -= section.text.length;
  }
  const absent = sections.filter((section) => !chosen.has(section)).map(({ name }) => name);
  return {
    fitting: sections.filter((section) => chosen.has(section)).map(({ text }) => text),
    names: absent.length === 0 ? [] : [named(absent)],
  };
}

const named = (names: readonly string[]): string => {
  const all = names.join(', ');
  return all.length <= 1_000 ? all : `${takeStart(all, 1_000)} ... (${names.length} files in all)`;
};
const absentWords = (names: string, access: FileAccess): string =>
  `More project rules did not fit here${access === 'readable' ? '. Read those that concern your task' : ''}: ${names}`;
const absentNotice = (names: string): string =>
  `The project's rules have more than ${CONTEXT_LIMITS.together} characters together: the model is only told that these exist: ${names}. Shorten or join them.`;
