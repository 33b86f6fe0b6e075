import type { Hunk, Operation } from './operations.ts';
import { isUnifiedDiff, parseUnifiedDiff } from './unified-parse.ts';

export type Parsed = { readonly ok: true; readonly operations: readonly Operation[] } | { readonly ok: false; readonly why: string };

interface PatchSection {
  readonly verb: string;
  readonly path: string;
  readonly at: number;
  readonly body: readonly NumberedLine[];
  /** Where an updated file goes besides. */
  readonly to?: string;
}
interface NumberedLine {
  readonly text: string;
  readonly at: number;
}
class PatchSyntaxError extends Error {}

export function parsePatch(patch: string): Parsed {
  try {
    const operations = isUnifiedDiff(patch) ? parseUnifiedDiff(patch) : sections(patch).flatMap(operationsOf);
    return operations.length === 0
      ? { ok: false, why: 'it holds no operation; write for example `*** Update File: path` and a hunk below' }
      : { ok: true, operations };
  } catch (error) {
    if (error instanceof PatchSyntaxError) return { ok: false, why: error.message };
    throw error;
  }
}

const IGNORED = new Set(['*** Begin Patch', '*** End Patch', '*** End of File']);
const HEADER = /^\*\*\* (Update|Add|Delete|Move) File:(.*)$/;

/** Cuts the patch at its headers. Line ends of either kind and the frame lines do not matter. */
function sections(patch: string): PatchSection[] {
  const found: { verb: string; path: string; at: number; body: NumberedLine[]; to?: string }[] = [];
  for (const [index, raw] of patch.split('\n').entries()) {
    const [text, at] = [raw.replace(/\r$/, ''), index + 1];
    const header = HEADER.exec(text);
    const updated = found.at(-1);
    if (header !== null) found.push({ verb: header[1] ?? '', path: (header[2] ?? '').trim(), at, body: [] });
    else if (IGNORED.has(text.trimEnd())) continue;
    else if (text.startsWith(MOVE_TO) && updated?.verb === 'Update') updated.to = text.slice(MOVE_TO.length).trim();
    else if (text.startsWith('*** ')) throw new PatchSyntaxError(`line ${at}: ${strayHeader(text)}`);
    else if (found.length > 0) found.at(-1)?.body.push({ text, at });
    else if (text.trim() !== '')
      throw new PatchSyntaxError(
        `line ${at}: expected \`*** Update File: path\` (or Add, Delete, Move File), found ${JSON.stringify(text.slice(0, 60))}`,
      );
  }
  return found;
}

const MOVE_TO = '*** Move to:';
const strayHeader = (text: string): string =>
  text.startsWith(MOVE_TO)
    ? '`*** Move to:` belongs below an `*** Update File:` line; or write `*** Move File: old/path -> new/path`'
    : `${JSON.stringify(text.slice(0, 60))} is not known; there are Update File, Add File, Delete File and Move File`;

function operationsOf(section: PatchSection): Operation[] {
  const { path, to } = section;
  if (to === undefined) return [operationOf(section)];
  const update = section.body.some(({ text }) => text !== '') ? [operationOf(section)] : [];
  return [...update, { kind: 'move', path, to }];
}

function operationOf(section: PatchSection): Operation {
  if (section.path === '') throw new PatchSyntaxError(`line ${section.at}: ${section.verb} File names no path`);
  return (READERS[section.verb] ?? readUpdate)({ ...section, body: withoutBlankEnd(section.body) });
}

const READERS: Readonly<Record<string, (section: PatchSection) => Operation>> = {
  Update: readUpdate,
  Add: ({ path, body }) => ({ kind: 'add', path, text: body.map((line) => `${added(line)}\n`).join('') }),
  Delete: (section) => ({ kind: 'delete', path: bodiless(section).path }),
  Move: (section) => {
    const [path = '', to = ''] = bodiless(section).path.split(/\s+->\s*/);
    if (path === '' || to === '')
      throw new PatchSyntaxError(`line ${section.at}: write \`*** Move File: old/path -> new/path\`, with both paths`);
    return { kind: 'move', path, to };
  },
};

function added({ text, at }: NumberedLine): string {
  if (!text.startsWith('+')) throw new PatchSyntaxError(`line ${at}: every line of a new file begins with +`);
  return text.slice(1);
}

function bodiless(section: PatchSection): PatchSection {
  const extra = section.body[0];
  if (extra !== undefined) throw new PatchSyntaxError(`line ${extra.at}: ${section.verb} File takes no lines below it`);
  return section;
}

function readUpdate({ path, at, body }: PatchSection): Operation {
  const hunks: { hint: string; lines: Hunk['lines'][number][] }[] = [];
  for (const { text } of body) {
    const header = /^@@(.*?)(?:@@.*)?$/.exec(text);
    if (header !== null) hunks.push({ hint: (header[1] ?? '').trim(), lines: [] });
    else if (hunks.length === 0) hunks.push({ hint: '', lines: [lineOf(text)] });
    else hunks.at(-1)?.lines.push(lineOf(text));
  }
  const filled = hunks.filter(({ lines }) => lines.length > 0);
  if (filled.length === 0) throw new PatchSyntaxError(`line ${at}: Update File ${path} has no hunk; give lines with ' ', - and + below it`);
  return { kind: 'update', path, hunks: filled };
}

/** A line without a mark is taken as context: models forget the blank. */
function lineOf(text: string): Hunk['lines'][number] {
  const mark = text[0];
  return mark === '-' || mark === '+' || mark === ' ' ? { mark, text: text.slice(1) } : { mark: ' ', text };
}

const withoutBlankEnd = (body: readonly NumberedLine[]): readonly NumberedLine[] =>
  body.slice(0, body.findLastIndex(({ text }) => text !== '') + 1);
