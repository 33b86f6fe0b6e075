import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { toErrorMessage, UsageError } from '../../../base/errors.ts';
import { toFileName } from './file-name.ts';
import { askHub, saveAnswer, type DownloadContext } from './hub.ts';

export const MODEL_SERVER = 'https://huggingface.co';

/** What a tokenizer is made of, and whether every model has it. */
const FILES: readonly (readonly [name: string, isNeeded: boolean])[] = [
  ['tokenizer.json', true],
  ['tokenizer_config.json', false],
  ['chat_template.jinja', false],
  ['chat_template.json', false],
  ['generation_config.json', false],
];

export const isHubName = (name: string): boolean => /^[\w.-]+\/[\w.-]+$/.test(name) && !/^\.{1,2}\//.test(name);

/** The folder of a model's tokenizer from Hugging Face (`owner/name`), downloaded once. */
export async function downloadTokenizer(
  name: string,
  { downloads, signal, notice, token = '' }: DownloadContext,
  server = MODEL_SERVER,
): Promise<string> {
  const folder = join(downloads, 'tokenizers', toFileName(name));
  // It is fetched last: a folder that has it has the others.
  if (existsSync(join(folder, 'tokenizer.json'))) return folder;
  notice(`Downloading the tokenizer of ${name}.`);
  mkdirSync(folder, { recursive: true });
  for (const [file, isNeeded] of FILES.toReversed()) {
    try {
      const answer = await askHub(`${server}/${name}/resolve/main/${file}`, { signal, token, missing: isNeeded ? 'fails' : 'is nothing' });
      if (answer !== undefined) await saveAnswer(answer, join(folder, file));
    } catch (error) {
      signal.throwIfAborted();
      throw new UsageError(
        `there is no folder ${name}, and the tokenizer of ${name} could not be downloaded from ${server}: ${toErrorMessage(error)}. Download tokenizer.json, tokenizer_config.json and the chat template elsewhere and name their folder in env.tokenizer_name; for a model that wants an account set HF_TOKEN.`,
      );
    }
  }
  return folder;
}
