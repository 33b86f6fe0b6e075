import { existsSync, createWriteStream, mkdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { toErrorMessage, UsageError } from '../../../base/errors.ts';
import { isObject, parseJson, readPath } from '../../../base/json.ts';
import type { EnvironmentContext } from '../../../contracts/environment.ts';
import { toFileName } from './file-name.ts';

/** Lists every data set of Hugging Face as Parquet files. */
export const DATASET_SERVER = 'https://datasets-server.huggingface.co';

export interface DatasetWish {
  /** Configurations and splits, the first that is there; any when there is but one. */
  readonly configs: readonly string[];
  readonly splits: readonly string[];
}
export type DownloadContext = Pick<EnvironmentContext, 'downloads' | 'signal' | 'notice' | 'token'>;

/**
 * The files of a data set: a path, or the name of one at Hugging Face (`owner/name`), which is downloaded once. A path that is there
 * comes first.
 */
export async function findDataset(
  named: string,
  wish: DatasetWish,
  { downloads, signal, notice, token = '' }: DownloadContext,
  server = DATASET_SERVER,
): Promise<readonly string[]> {
  const path = resolve(named);
  if (existsSync(path) || !/^[\w.-]+\/[\w.-]+$/.test(named) || /\.(?:parquet|jsonl?|gz)$/.test(named)) return [path];
  const files = chooseFiles(named, await listFiles(named, server, { signal, token }), wish);
  const folder = join(downloads, toFileName(named));
  mkdirSync(folder, { recursive: true });
  const targets = files.map(({ url, config, split }, index) => ({ url, path: join(folder, toFileName(`${config}-${split}-${index}`)) }));
  for (const target of targets) {
    if (existsSync(`${target.path}.parquet`)) continue;
    notice(`Downloading ${named} (${target.url}).`);
    await download(target.url, `${target.path}.parquet`, { signal, token });
  }
  return targets.map((target) => `${target.path}.parquet`);
}

interface HubFile {
  readonly config: string;
  readonly split: string;
  readonly url: string;
}

interface AskOptions {
  readonly signal: AbortSignal;
  readonly token: string;
}

async function listFiles(named: string, server: string, options: AskOptions): Promise<readonly HubFile[]> {
  const answer = await ask(`${server}/parquet?dataset=${encodeURIComponent(named)}`, options).catch((error: unknown) => {
    throw new UsageError(
      `there is no file ${resolve(named)}, and the data set ${named} could not be asked for at Hugging Face: ${toErrorMessage(error)}. Download it elsewhere and name its file in env.dataset_name.`,
    );
  });
  const rows = readPath(parseJson(await answer.text()), 'parquet_files');
  return (Array.isArray(rows) ? rows : []).flatMap((row) => {
    const { config, split, url } = isObject(row) ? row : {};
    return typeof config === 'string' && typeof split === 'string' && typeof url === 'string' ? [{ config, split, url }] : [];
  });
}

/** Those of one configuration and one split. */
function chooseFiles(named: string, files: readonly HubFile[], { configs, splits }: DatasetWish): readonly HubFile[] {
  const choose = (wanted: readonly string[], there: readonly string[]): string | undefined =>
    wanted.find((name) => there.includes(name)) ?? (there.length === 1 ? there[0] : undefined);
  const config = choose(configs, [...new Set(files.map((file) => file.config))]);
  const ofConfig = files.filter((file) => file.config === config);
  const split = choose(splits, [...new Set(ofConfig.map((file) => file.split))]);
  const chosen = ofConfig.filter((file) => file.split === split);
  if (chosen.length > 0) return chosen;
  const there = [...new Set(files.map((file) => `${file.config}/${file.split}`))].join(', ');
  throw new UsageError(
    `the data set ${named} has no ${configs.join(' or ')} with ${splits.join(' or ')}${there === '' ? '' : `, but ${there}`}. Download what you want and name its file in env.dataset_name.`,
  );
}

/** The file is there whole or not at all. */
export async function saveAnswer({ body }: Response, path: string): Promise<void> {
  if (body === null) throw new Error('the answer is empty');
  await pipeline(Readable.fromWeb(body), createWriteStream(`${path}.part`));
  renameSync(`${path}.part`, path);
}

async function download(url: string, path: string, options: AskOptions): Promise<void> {
  try {
    await saveAnswer(await ask(url, options), path);
  } catch (error) {
    options.signal.throwIfAborted();
    throw new UsageError(`${url} could not be downloaded: ${toErrorMessage(error)}. The same command tries again.`);
  }
}

async function ask(url: string, options: AskOptions): Promise<Response> {
  const answer = await askHub(url, options);
  if (answer === undefined) throw new Error('there is nothing');
  return answer;
}

/** A file of the hub; nothing where it is not there and need not be. */
export async function askHub(
  url: string,
  { signal, token, missing = 'fails' }: AskOptions & { readonly missing?: 'fails' | 'is nothing' },
): Promise<Response | undefined> {
  const isTheirs = /^https:\/\/(?:[\w-]+\.)?huggingface\.co\//.test(url);
  const headers = token !== '' && isTheirs ? { authorization: `Bearer ${token}` } : {};
  // It says only that it failed; why is in the cause.
  const answer = await fetch(url, { signal, headers }).catch((error: unknown) => {
    throw error instanceof Error && error.cause instanceof Error ? error.cause : error;
  });
  if (answer.status === 404 && missing === 'is nothing') return undefined;
  if (!answer.ok) throw new Error(`${answer.status} ${(await answer.text()).slice(0, 200)}`.trim());
  return answer;
}
