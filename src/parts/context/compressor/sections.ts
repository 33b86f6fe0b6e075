import { estimateTextTokens } from '../view/tokens.ts';
import { clipTokens } from './rows/blocks.ts';
import { SECTIONS } from './words.ts';

export interface NoteSection {
  /** In small letters, as in the template; as it is written for a heading of the model's own; empty for what stands before the first heading. */
  readonly name: string;
  /** The heading line and all that follows it. */
  readonly lines: readonly string[];
}

const bare = (heading: string): string => heading.replace(/^#+\s*/, '').toLowerCase();
const NAMES = SECTIONS.map(([heading]) => bare(heading));

/** The sections of notes, whatever level, bold type, number or colon their headings came with. */
export function splitSections(notes: string): readonly NoteSection[] {
  const sections: { name: string; lines: string[] }[] = [{ name: '', lines: [] }];
  for (const line of notes.split('\n')) {
    const name = headingOf(line) ?? ownHeadingOf(line);
    if (name === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ name, lines: [line] });
  }
  return sections.filter(({ name, lines }) => name !== '' || lines.some((line) => line.trim() !== ''));
}

function headingOf(line: string): string | undefined {
  if (line.length > 120) return undefined;
  const words = line
    .replace(/^\s*(?:#{1,6}\s*)?(?:\d+[.)]\s*)?/, '')
    .replace(/\s*\(.*\)\s*$/, '')
    .replace(/\*\*|__|:/g, '')
    .replace(/\band\b/i, '&')
    .trim()
    .toLowerCase();
  return NAMES.find((name) => name === words);
}

/** A heading that is not in the template, in whatever language: `## Ziel`, `**目标**`, `2. **Étapes**`. */
const OWN_HEADING = /^\s*(?:\d+[.)]\s*)?(?:#{1,6}\s+(?<marked>\S.*?)|\*\*(?<bold>[^*]+)\*\*:?|【(?<boxed>[^】]+)】)\s*$/u;

function ownHeadingOf(line: string): string | undefined {
  const { marked, bold, boxed } = (line.length > 120 ? null : OWN_HEADING.exec(line))?.groups ?? {};
  return marked ?? bold ?? boxed;
}

/** Notes cut to a size: the large sections give way first, each keeping its beginning. */
export function cutBySections(notes: string, limit: number): string {
  if (estimateTextTokens(notes) <= limit) return notes;
  const sections = splitSections(notes).map(({ lines }) => lines.join('\n').trim());
  const most = fairShare(sections.map(estimateTextTokens), limit - sections.length);
  return sections.map((section) => (estimateTextTokens(section) <= most ? section : firstLines(section, most))).join('\n');
}

/** The largest size no part may exceed so that all together stay within the limit. */
function fairShare(sizes: readonly number[], limit: number): number {
  let left = limit;
  for (const [place, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = left / (sizes.length - place);
    if (size > share) return Math.max(Math.floor(share), 0);
    left -= size;
  }
  return limit;
}

function firstLines(section: string, most: number): string {
  const kept: string[] = [];
  let spent = estimateTextTokens('[…]') + 1;
  for (const line of section.split('\n')) {
    const cost = estimateTextTokens(line) + 1;
    if (spent + cost > most) {
      kept.push(clipTokens(line, Math.max(most - spent, 0)));
      break;
    }
    kept.push(line);
    spent += cost;
  }
  return [...kept.filter((line) => line.trim() !== ''), '[…]'].join('\n');
}
