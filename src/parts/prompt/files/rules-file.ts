import { lstatSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isWithin } from '../../../base/within.ts';
import { blankOutFrontmatter, splitFrontmatter } from '../../../base/frontmatter.ts';
import { readTextFile } from '../../../base/text-file.ts';
import { showPath } from './names.ts';
import { readRuleScope } from './rule-head.ts';

/** A file of rules that somebody wrote for agents. */
export interface RulesFile {
  readonly path: string;
  /** What may reach the model: without blank edges, its YAML head as `headOf` has it. Never empty. */
  readonly text: string;
  /** The same words on the lines they have in the file, so that a finding names a line the owner can go to. */
  readonly inPlace: string;
}
export interface RulesFound {
  readonly file?: RulesFile;
  readonly notices: readonly string[];
}

export const MAX_BYTES = 2 * 1024 * 1024;
const NOTHING: RulesFound = { notices: [] };

/** The first of the names that has words in it. One that cannot be read is as good as absent, but the owner is told. */
export function findRulesFile(folder: string, names: readonly string[], tree: string): RulesFound {
  const notices: string[] = [];
  const tried = new Set<string>();
  for (const path of names.map((name) => join(folder, name))) {
    const same = identity(path);
    if (same === undefined || tried.has(same)) continue;
    tried.add(same);
    const found = readRulesFile(path, tree);
    notices.push(...found.notices);
    if (found.file !== undefined) return { file: found.file, notices };
  }
  return { notices };
}

/** `tree` is the project: a link may not lead out of it. */
export function readRulesFile(path: string, tree: string): RulesFound {
  const astray = strayLink(path, tree);
  if (astray !== undefined) return leftOut(path, astray);
  const read = readTextFile(path, MAX_BYTES);
  if (!read.ok) return read.missing ? NOTHING : leftOut(path, read.why);
  const { head, body } = splitFrontmatter(read.text);
  const kept = headOf(basename(path), head);
  if (kept === 'out') return NOTHING;
  const text = kept.whole ? read.text.trim() : [kept.words, body.trim()].filter(Boolean).join('\n\n');
  const notices = describeUnreadHead(path, head);
  if ((kept.whole ? text : body.trim()) === '') return { notices };
  const inPlace = kept.whole || kept.words !== '' ? read.text : blankOutFrontmatter(read.text);
  return { file: { path, text, inPlace }, notices };
}

/**
 * What becomes of a YAML head. `.hermes.md` keeps settings there that are not for the model (seed 000 §5.9.4); a rule of
 * Cursor says there when it applies, and may stay `out`; in every other file it is text like the rest.
 */
function headOf(name: string, head: string | undefined): { readonly whole: boolean; readonly words: string } | 'out' {
  if (head === undefined || HERMES_NAME.test(name)) return { whole: false, words: '' };
  if (!name.endsWith('.mdc')) return { whole: true, words: '' };
  const scope = readRuleScope(head);
  return scope.applies ? { whole: false, words: scope.words } : 'out';
}

/** Only settings of `.hermes.md` stand in a head that the model does not see and that nothing else reads. */
const describeUnreadHead = (path: string, head = ''): readonly string[] =>
  HERMES_NAME.test(basename(path)) && head.trim() !== ''
    ? [
        `The settings in the YAML head of ${showPath(path)} have no effect, and the model does not see them. Put settings into config.yaml (hermes config set KEY VALUE), and rules below the head.`,
      ]
    : [];
const HERMES_NAME = /^\.?hermes\.md$/i;

const leftOut = (path: string, why: string): RulesFound => ({
  notices: [`${showPath(path)} was left out of the prompt: ${why}. Make it a readable text file of rules, or remove it.`],
});

/** What the file is, whatever it is called: a file system that ignores case shows one file under two names. */
function identity(path: string): string | undefined {
  try {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  } catch {
    return path;
  }
}

/** What a link may lead to. A repository could name somebody's private file `AGENTS.md` and have it sent to the provider. */
const RULES_NAME = /\.(?:md|mdc|markdown|txt)$|^\.cursorrules$/i;

function strayLink(path: string, tree: string): string | undefined {
  try {
    const real = realpathSync(path);
    if (!RULES_NAME.test(basename(real))) return `it is a link to ${showPath(real)}, which is not a rules file`;
    return isWithin(realpathSync(tree), real) ? undefined : `it is a link to ${showPath(real)}, out of the project`;
  } catch {
    // Reading it tells what is wrong.
    return undefined;
  }
}
