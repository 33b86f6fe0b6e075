import { readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { toOneLine } from '../../../base/printable.ts';
import { formatWhole } from '../../../base/screen/figures.ts';
import { readTextFile } from '../../../base/text-file.ts';
import type { AttachmentSource } from '../../../contracts/attachments.ts';
import type { AttachedText, MessageAttachment } from '../../../contracts/host.ts';
import { DIFF_ARGUMENTS, type RunGit } from './git-text.ts';
import { looksLikeImage, readImageFile } from './images.ts';
import { parseReferences, type Reference } from './references.ts';

export interface AttachmentDeps {
  /** The folder the session works in. */
  readonly cwd: string;
  /** How many tokens the model takes. */
  readonly window: number;
  readonly source: AttachmentSource;
  readonly git: RunGit;
}
/** What the references of a message stand for. When one of them cannot be sent, nothing is, and the words say why. */
export type ExpandedReferences =
  | { readonly ok: true; readonly attached: readonly MessageAttachment[]; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly why: string };

/** Of the window: more is told, and yet more is not sent. */
const WARN_SHARE = 0.25;
const MAX_SHARE = 0.5;
const CHARACTERS_PER_TOKEN = 4;
const MAX_FILE_BYTES = 10 * 1024 * 1024;
const MAX_FOLDER_ENTRIES = 200;
const MAX_COMMITS = 20;

/** Reads what a message refers to. The words themselves stay as they are: they name what is attached. */
export async function expandReferences(text: string, deps: AttachmentDeps, signal: AbortSignal): Promise<ExpandedReferences> {
  const attached: MessageAttachment[] = [];
  const plain: string[] = [];
  const unique = new Map(parseReferences(text).map((reference) => [reference.raw, reference]));
  for (const reference of unique.values()) {
    const found = await READERS[reference.kind](reference, deps, signal);
    if (typeof found === 'string') return { ok: false, why: `${toOneLine(reference.raw)} was not attached: ${found}` };
    if (found !== undefined) attached.push(found);
    else if (FILE_NAME.test(reference.target)) plain.push(`${toOneLine(reference.raw)} was sent as text: there is no such file.`);
  }
  const judged = judgeSize(attached, deps.window);
  return judged.ok ? { ...judged, warnings: [...plain, ...judged.warnings] } : judged;
}

/** What reads as the name of a file and not of a person. */
const FILE_NAME = /\.[a-z]\w{0,7}$/i;

function judgeSize(attached: readonly MessageAttachment[], window: number): ExpandedReferences {
  const size = attached.reduce((sum, each) => sum + ('text' in each ? each.text.length : 0), 0) / CHARACTERS_PER_TOKEN;
  const share = size / window;
  const words = `about ${formatWhole(Math.round(size))} tokens, ${Math.round(share * 100)}% of what the model takes`;
  if (share > MAX_SHARE)
    return { ok: false, why: `What you attached is too much: ${words}; at most ${MAX_SHARE * 100}% is sent. Attach fewer lines.` };
  return { ok: true, attached, warnings: share > WARN_SHARE ? [`What you attached is large: ${words}.`] : [] };
}

/** What was read; words when it cannot be sent; nothing when it was no reference after all. */
type ReadReference = (
  reference: Reference,
  deps: AttachmentDeps,
  signal: AbortSignal,
) => MessageAttachment | string | undefined | Promise<MessageAttachment | string | undefined>;

const READERS: Readonly<Record<Reference['kind'], ReadReference>> = {
  file: (reference, deps) => readFile(reference, deps),
  folder: (reference, deps, signal) => readFolder(reference, deps, signal),
  path: async (reference, deps, signal) => {
    const found = statSync(locate(reference.target, deps.cwd), { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    return found.isDirectory() ? readFolder(reference, deps, signal) : readFile(reference, deps);
  },
  diff: (_, deps, signal) => readGit('git diff', ['diff', ...DIFF_ARGUMENTS], deps, signal),
  staged: (_, deps, signal) => readGit('git diff --staged', ['diff', '--staged', ...DIFF_ARGUMENTS], deps, signal),
  git: ({ target }, deps, signal) => {
    const count = Number(target);
    if (!/^\d+$/.test(target) || count < 1 || count > MAX_COMMITS) return `write a number from 1 to ${MAX_COMMITS}, such as @git:3.`;
    return readGit(`git log -${count}`, ['log', '--patch', `-${count}`, ...DIFF_ARGUMENTS], deps, signal);
  },
  url: async ({ target }, { source }, signal) => {
    const page = await source.readPage(target, signal);
    return page.ok ? { name: target, text: page.text } : page.why;
  },
};

const locate = (path: string, cwd: string): string => resolve(cwd, path.replace(/^~(?=\/|$)/, homedir()));

function readFile({ target, lines }: Reference, { cwd, source }: AttachmentDeps): MessageAttachment | string {
  const path = locate(target, cwd);
  const refused = source.refuse(path);
  if (refused !== undefined) return `it ${refused}.`;
  if (looksLikeImage(path)) {
    const image = readImageFile(path);
    return image.ok ? image.image : `${image.why}.`;
  }
  const file = readTextFile(path, MAX_FILE_BYTES);
  if (!file.ok) return file.missing ? 'there is no such file.' : `${file.why}.`;
  if (lines === undefined) return { name: `file ${target}`, text: file.text };
  const all = file.text.split('\n');
  if (lines.from < 1 || lines.to < lines.from || lines.from > all.length) return `it has ${formatWhole(all.length)} lines.`;
  return { name: `file ${target}, lines ${lines.from}-${lines.to}`, text: all.slice(lines.from - 1, lines.to).join('\n') };
}

async function readFolder({ target }: Reference, { cwd, source }: AttachmentDeps, signal: AbortSignal): Promise<AttachedText | string> {
  const path = locate(target, cwd);
  const refused = source.refuse(path);
  if (refused !== undefined) return `it ${refused}.`;
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return 'there is no such folder.';
  const inside = relative(cwd, path);
  const known = (await source.listFiles(MAX_LISTED, signal)).filter((name) => inside === '' || name.startsWith(`${inside}${sep}`));
  const names = known.length > 0 ? known.toSorted() : readdirSync(path).map((name) => join(inside, name));
  const shown = names.slice(0, MAX_FOLDER_ENTRIES).map(toOneLine);
  const more = names.length - shown.length;
  return { name: `folder ${target}`, text: [...shown, ...(more > 0 ? [`and ${formatWhole(more)} more`] : [])].join('\n') };
}
/** Files of a workspace that are looked through for those of one folder. */
const MAX_LISTED = 20_000;

async function readGit(
  name: string,
  args: readonly string[],
  { git }: AttachmentDeps,
  signal: AbortSignal,
): Promise<AttachedText | string> {
  const result = await git(args, signal);
  if (!result.ok) return `git said: ${toOneLine(result.why)}.`;
  return result.text.trim() === '' ? 'there are no such changes.' : { name, text: result.text };
}
