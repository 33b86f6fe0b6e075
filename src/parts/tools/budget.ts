import { mkdir, readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toErrorMessage } from '../../base/errors.ts';
import { drawFailures, findFailureLines } from '../../base/failure-lines.ts';
import { sha256 } from '../../base/sha256.ts';
import { takeStart } from '../../base/text.ts';
import { joinTextBlocks, type ImageBlock, type JsonObject, type TextBlock, type ToolMessage } from '../../contracts/message.ts';
import type { SliceValues } from '../../contracts/settings.ts';
import type { toolSettings } from './settings.ts';

/** Keeps results inside their size budgets: what is too long goes to disk whole and leaves a preview with its path. */
export interface Spill {
  keep(result: ToolMessage, maxResult: number, sessionId: string): Promise<ToolMessage>;
  /** A result as values for a script: all of its text, or its beginning and the file that holds the whole. */
  forScript(result: ToolMessage, sessionId: string): Promise<JsonObject>;
  /** Holds the results of one step together to the turn's budget, the largest first. */
  fit(results: readonly ToolMessage[], sessionId: string): Promise<readonly ToolMessage[]>;
}

/** What results may take of a model's window: a share of it, never less than the floor, never more than the settings say. */
const SHARES = { result: { share: 0.15, floor: 8_000 }, step: { share: 0.3, floor: 16_000 } } as const;
const CHARS_PER_TOKEN = 4;
/** Characters of a text that a script gets as a value. */
const MAX_SCRIPT_TEXT = 50_000;

/** The most characters of one result or of one step's results, for a window of so many tokens. */
export function computeCharLimit(what: keyof typeof SHARES, window: number, most: number): number {
  const { share, floor } = SHARES[what];
  return Math.min(most, Math.max(floor, Math.floor(window * CHARS_PER_TOKEN * share)));
}

/** `window` is that of the model of the moment: a session may change its model and keep its tools. */
export function spillTo(folder: string, settings: SliceValues<typeof toolSettings>, window: () => number = () => Infinity): Spill {
  const perResult = () => computeCharLimit('result', window(), settings['tool_output.max_result_chars']);
  const perStep = () => computeCharLimit('step', window(), settings['tool_output.max_turn_chars']);
  const preview = settings['tool_output.preview_chars'];
  const spill = async (result: ToolMessage, sessionId: string) => {
    const spilled = await spillResult(result, toSpillFolder(folder, sessionId), preview);
    // What cannot be cleared away now is cleared away by the next spill.
    await prune(folder, Date.now() - settings['tool_output.keep_hours'] * 3_600_000).catch(() => {});
    return spilled;
  };
  return {
    keep: async (result, maxResult, sessionId) => {
      const limit = maxResult === Infinity ? Infinity : Math.min(maxResult, perResult());
      return joinTextBlocks(result).length > limit ? spill(result, sessionId) : result;
    },
    forScript: async (result, sessionId) => {
      const whole = joinParts(result);
      const images = result.content.flatMap((block) => (block.type === 'image' ? [{ mime: block.mime, data: block.data }] : []));
      const pictures = images.length === 0 ? {} : { images };
      if (whole.length <= MAX_SCRIPT_TEXT) return { text: whole, ...pictures };
      const saved = await saveWhole(result, whole, toSpillFolder(folder, sessionId));
      return {
        text: takeStart(whole, MAX_SCRIPT_TEXT),
        truncated: true,
        characters: whole.length,
        ...pictures,
        ...(saved.ok ? { file: saved.path } : {}),
      };
    },
    fit: async (results, sessionId) => {
      const [fitted, most] = [[...results], perStep()];
      for (const index of bySize(results)) {
        if (total(fitted) <= most) break;
        const result = fitted[index];
        if (result !== undefined && joinTextBlocks(result).length > preview * 2) fitted[index] = await spill(result, sessionId);
      }
      return fitted;
    },
  };
}

/** The texts of a result, each on a line of its own: a server sends several, and where one ends matters to a script. */
const joinParts = ({ content }: ToolMessage): string =>
  content.reduce((all, block) => {
    if (block.type !== 'text') return all;
    return all === '' || all.endsWith('\n') || block.text.startsWith('\n') ? all + block.text : `${all}\n${block.text}`;
  }, '');

const total = (results: readonly ToolMessage[]): number => results.reduce((sum, result) => sum + joinTextBlocks(result).length, 0);
const bySize = (results: readonly ToolMessage[]): number[] =>
  results
    .map((_, index) => index)
    .toSorted((a, b) => joinTextBlocks(results[b] ?? EMPTY).length - joinTextBlocks(results[a] ?? EMPTY).length);
const EMPTY: ToolMessage = { role: 'tool', callId: '', name: '', content: [], failed: false };

/** An id as one name in a folder: nothing in it leads out. */
function safeName(id: string): string {
  const name = id.replace(/[^\w-]/g, '_');
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 17)}-${sha256(id).slice(0, 16)}`;
}
/** File systems take 255 bytes; some providers make their call ids longer. */
const LONGEST_NAME = 120;

/** The folder for the results of one session. */
export const toSpillFolder = (folder: string, sessionId: string): string => join(folder, safeName(sessionId));

/** Where the whole output of a command goes that does not fit into its result. */
export const toOutputPath = (folder: string, sessionId: string, callId: string): string =>
  join(toSpillFolder(folder, sessionId), `${safeName(callId)}-output.txt`);

/** Providers repeat their call ids from one conversation to the next: each session has a folder of its own. */
async function spillResult(result: ToolMessage, folder: string, preview: number): Promise<ToolMessage> {
  const whole = joinTextBlocks({ ...result, content: result.content.filter((block) => !staysInline(block)) });
  const rest = result.content.filter(staysInline);
  const saved = await saveWhole(result, whole, folder);
  const begin = head(whole, preview);
  const failed = failedBelow(whole, begin.length);
  const words = saved.ok
    ? `[The whole result has ${whole.length} characters and is in ${saved.path}. ${failed === '' ? 'The lines above are its beginning' : 'The lines above are its beginning and what tells of a failure'}; read more of it with read_file (offset, limit) or search it with search_files.]`
    : `[Only the first ${preview} of ${whole.length} characters: the rest could not be saved (${saved.why}).]`;
  return { ...result, content: [{ type: 'text', text: `${begin}\n${failed}${words}`, ...labelOf(result) }, ...rest] };
}

type SaveResult = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly why: string };

async function saveWhole(result: ToolMessage, whole: string, folder: string): Promise<SaveResult> {
  // The name says what is inside, so that reading it later lets foreign words in as foreign words.
  const path = join(folder, `${safeName(result.callId)}${labelOf(result).trust === 'foreign' ? '.foreign' : ''}.txt`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(path, whole, { mode: 0o600 });
    return { ok: true, path };
  } catch (error) {
    return { ok: false, why: toErrorMessage(error) };
  }
}

/** Pictures, and hints: rules of a folder that the model must not miss. */
const staysInline = (block: TextBlock | ImageBlock): boolean => block.type !== 'text' || block.source?.startsWith('hint:') === true;

/** Whose words the result is made of; one foreign block makes the whole foreign. */
function labelOf({ content }: ToolMessage): Pick<TextBlock, 'trust' | 'source'> {
  const block = content.find(({ trust }) => trust === 'foreign') ?? content[0];
  return { trust: block?.trust ?? 'tool', ...(block?.type === 'text' && block.source !== undefined && { source: block.source }) };
}

/** Lines behind the preview that tell of a failure; of what a command or a server said the one that matters is seldom the first. */
function failedBelow(whole: string, from: number): string {
  const lines = findFailureLines(whole).filter(({ at }) => at >= from);
  return lines.length === 0 ? '' : `[…]\n${drawFailures(lines.slice(0, MAX_FAILURES))}\n[…]\n`;
}
const MAX_FAILURES = 10;

/** Cut at the last line break past the middle, so that the preview ends with a whole line. */
function head(whole: string, preview: number): string {
  const cut = takeStart(whole, preview);
  const line = cut.lastIndexOf('\n');
  return line > preview / 2 ? cut.slice(0, line) : cut;
}

/** Clears away files older than this in the folder and in the sessions' folders below it, and folders that are empty then. */
async function prune(folder: string, oldest: number, depth = 0): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const found = await stat(path).catch(() => undefined);
    if (entry.isDirectory() && depth === 0) {
      await prune(path, oldest, 1);
      // Only an empty one can be removed this way. A young one may be another process's, about to be filled.
      if (found !== undefined && found.mtimeMs < oldest) await rmdir(path).catch(() => {});
    } else if (found !== undefined && found.mtimeMs < oldest) await rm(path, { force: true });
  }
}
