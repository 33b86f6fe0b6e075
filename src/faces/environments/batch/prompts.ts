import { readFileSync } from 'node:fs';
import { readErrorCode, toErrorMessage, UsageError } from '../../../base/errors.ts';
import { isObject, parseJson, toStableJson } from '../../../base/json.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { EnvironmentTask } from '../../../contracts/environment.ts';
import type { BatchResult } from '../../../contracts/services/batches.ts';

/** A prompt of a batch. Its id comes from what it asks, so that it is known again wherever it stands in the file. */
export interface BatchPrompt extends EnvironmentTask {
  /** Its place in the file, from 0. */
  readonly index: number;
  readonly prompt: string;
  readonly image?: string;
  readonly cwd?: string;
}
export interface ReadPrompts {
  readonly prompts: readonly BatchPrompt[];
  readonly skipped: BatchResult['skipped'];
}

export function readPromptFile(path: string): ReadPrompts {
  try {
    return readPrompts(readFileSync(path, 'utf8'));
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT')
      throw new UsageError(`there is no file ${path}. Give a JSONL file with a "prompt" on each line.`);
    throw new UsageError(`${path} could not be read: ${toErrorMessage(error)}`);
  }
}

/** The same prompt twice is asked twice: the second has an id of its own. */
export function readPrompts(text: string): ReadPrompts {
  const seen = new Map<string, number>();
  const prompts: BatchPrompt[] = [];
  const skipped: { line: number; why: string }[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = readPrompt(line);
    if (typeof read === 'string') {
      skipped.push({ line: index + 1, why: read });
      continue;
    }
    const content = sha256(toStableJson([read.prompt.trim(), read.image ?? null, read.cwd ?? null])).slice(0, 16);
    const times = (seen.get(content) ?? 0) + 1;
    seen.set(content, times);
    prompts.push({ id: `${content}-${times}`, index: prompts.length, ...read });
  }
  return { prompts, skipped };
}

function readPrompt(line: string): Pick<BatchPrompt, 'prompt' | 'image' | 'cwd'> | string {
  const row = parseJson(line);
  if (!isObject(row)) return 'it is not a JSON object';
  const { prompt, image = row['docker_image'], cwd } = row;
  if (typeof prompt !== 'string' || prompt.trim() === '') return 'it has no text "prompt"';
  return { prompt, ...(typeof image === 'string' && { image }), ...(typeof cwd === 'string' && { cwd }) };
}
