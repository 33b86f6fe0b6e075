import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { safeHead } from '../../base/text.ts';
import { text, visibleText, type ToolMessage } from '../../contracts/message.ts';
import type { Values } from '../../contracts/settings.ts';
import type { toolSettings } from './settings.ts';

/** Keeps results inside their size budgets: what is too long goes to disk whole and leaves a preview with its path. */
export interface Spill {
  keep(result: ToolMessage, maxResult: number): Promise<ToolMessage>;
  /** Holds the results of one step together to the turn's budget, the largest first. */
  fit(results: readonly ToolMessage[]): Promise<readonly ToolMessage[]>;
}

export function spillTo(folder: string, settings: Values<typeof toolSettings>): Spill {
  const perTurn = settings['tool_output.max_turn_chars'];
  const preview = settings['tool_output.preview_chars'];
  const spill = (result: ToolMessage) => spillResult(result, folder, preview, settings['tool_output.keep_hours']);
  return {
    keep: async (result, maxResult) => {
      const limit = maxResult === Infinity ? Infinity : Math.min(maxResult, settings['tool_output.max_result_chars']);
      return visibleText(result).length > limit ? spill(result) : result;
    },
    fit: async (results) => {
      const fitted = [...results];
      for (const index of bySize(results)) {
        if (total(fitted) <= perTurn) break;
        const result = fitted[index];
        if (result !== undefined && visibleText(result).length > preview * 2) fitted[index] = await spill(result);
      }
      return fitted;
    },
  };
}

const total = (results: readonly ToolMessage[]): number => results.reduce((sum, result) => sum + visibleText(result).length, 0);
const bySize = (results: readonly ToolMessage[]): number[] =>
  results.map((_, index) => index).toSorted((a, b) => visibleText(results[b] ?? EMPTY).length - visibleText(results[a] ?? EMPTY).length);
const EMPTY: ToolMessage = { role: 'tool', callId: '', name: '', content: [], failed: false };

async function spillResult(result: ToolMessage, folder: string, preview: number, keepHours: number): Promise<ToolMessage> {
  const whole = visibleText(result);
  const path = join(folder, `${result.callId.replace(/[^\w.-]/g, '_')}.txt`);
  const rest = result.content.filter((block) => block.type !== 'text');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(path, whole, { mode: 0o600 });
    await prune(folder, keepHours);
  } catch (error) {
    const words = `[Only the first ${preview} of ${whole.length} characters: the rest could not be saved (${error instanceof Error ? error.message : String(error)}).]`;
    return { ...result, content: [text(`${head(whole, preview)}\n${words}`, 'tool'), ...rest] };
  }
  const words = `[The whole result has ${whole.length} characters and is in ${path}. The lines above are its beginning; read more of it with read_file (offset, limit) or search it with search_files.]`;
  return { ...result, content: [text(`${head(whole, preview)}\n${words}`, trustOf(result)), ...rest] };
}

const trustOf = (result: ToolMessage) => result.content[0]?.trust ?? 'tool';

/** Cut at the last line break past the middle, so that the preview ends with a whole line. */
function head(whole: string, preview: number): string {
  const cut = safeHead(whole, preview);
  const line = cut.lastIndexOf('\n');
  return line > preview / 2 ? cut.slice(0, line) : cut;
}

async function prune(folder: string, keepHours: number): Promise<void> {
  const oldest = Date.now() - keepHours * 3_600_000;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < oldest) await rm(path, { force: true });
  }
}
