import { globSync, readFileSync } from 'node:fs';

/** Pages whose commands are run. Those of `docs/cli.md` are made from records, which tests of their own read. */
export const COMMAND_PAGES: readonly string[] = ['README.md', 'README.zh-CN.md', ...globSync('docs/*.md').toSorted()];
/** Pages whose links are followed. */
export const ALL_PAGES: readonly string[] = [...globSync('*.md').toSorted(), ...globSync('docs/**/*.md').toSorted(), 'bench/README.md'];

/** One command of a page. */
export interface PageCommand {
  /** Where it stands: `README.md:12`. */
  readonly at: string;
  /** As it is typed, without the words about it. */
  readonly text: string;
  readonly exits: number;
  /** Why it is not run. */
  readonly notRun?: string;
}

/**
 * A mark above a fence, which readers do not see, says what is special about a command that begins so, or about all of them:
 *
 *     <!-- skipped: it needs a phone -->
 *     <!-- skipped "npm ci": it takes minutes -->
 *     <!-- exits 1 "hermes prompt scan" -->
 */
interface Mark {
  readonly begins: string;
  readonly notRun?: string;
  readonly exits?: number;
}
const MARK = /^<!-- (?:skipped(?: "([^"]*)")?: (.+)|exits (\d+)(?: "([^"]*)")?) -->$/;

function readMark(line: string): Mark | undefined {
  const found = MARK.exec(line.trim());
  if (found === null) return undefined;
  const [, begins, notRun, exits, beginning] = found;
  return {
    begins: begins ?? beginning ?? '',
    ...(notRun !== undefined && { notRun }),
    ...(exits !== undefined && { exits: Number(exits) }),
  };
}

/** The commands in the `sh` fences of a page, in order. A mark that fits no command is a mistake. */
export function readCommands(page: string, text: string = readFileSync(page, 'utf8')): readonly PageCommand[] {
  const commands: PageCommand[] = [];
  let marks: Mark[] = [];
  let language: string | undefined;
  let begun = '';
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^\s*```(\S*)/.exec(line);
    if (fence !== null) {
      if (language !== undefined) {
        checkMarks(marks, commands, page);
        marks = [];
      }
      language = language === undefined ? fence[1] : undefined;
      continue;
    }
    if (language === undefined) {
      const mark = readMark(line);
      marks = mark === undefined ? (line.trim() === '' ? marks : []) : [...marks, mark];
      continue;
    }
    if (language !== 'sh') continue;
    begun += line.trimStart();
    if (begun.endsWith('\\')) begun = begun.slice(0, -1);
    else {
      const command = stripComment(begun);
      if (command !== '') commands.push({ at: `${page}:${index + 1}`, text: command, exits: 0, ...applyMarks(command, marks) });
      begun = '';
    }
  }
  return commands;
}

function applyMarks(command: string, marks: readonly Mark[]): Pick<Mark, 'notRun' | 'exits'> {
  const { notRun, exits } = marks
    .filter(({ begins }) => command.startsWith(begins))
    .reduce<Partial<Mark>>((all, mark) => ({ ...all, ...mark }), {});
  return { ...(notRun !== undefined && { notRun }), ...(exits !== undefined && { exits }) };
}

function checkMarks(marks: readonly Mark[], commands: readonly PageCommand[], page: string): void {
  const unused = marks.find(({ begins }) => !commands.some(({ text }) => text.startsWith(begins)));
  if (unused !== undefined) throw new Error(`${page}: a mark names "${unused.begins}", and no command below it begins so`);
}
const stripComment = (line: string): string => line.replace(/(?:^|\s+)# .*$/, '').trim();

/** How deep each heading is: what two languages have in common. */
export function readHeadings(text: string): readonly number[] {
  const outside = text.replaceAll(/^\s*```[^]*?^\s*```/gm, '');
  return [...outside.matchAll(/^(#+) /gm)].map(([, marks = '']) => marks.length);
}

/** Anchors as GitHub makes them from headings. */
export function readAnchors(text: string): ReadonlySet<string> {
  const outside = text.replaceAll(/^\s*```[^]*?^\s*```/gm, '');
  return new Set(
    [...outside.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

/** Where links and pictures of a page lead, without those to other machines. */
export function readLinks(text: string): readonly string[] {
  const outside = text.replaceAll(/^\s*```[^]*?^\s*```/gm, '').replaceAll(/`[^`\n]*`/g, '');
  const found = [...outside.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)|(?:src|srcset|href)="([^"]+)"/g)].map(
    ([, one, other]) => one ?? other ?? '',
  );
  return found.filter((link) => !/^[a-z]+:/.test(link));
}
