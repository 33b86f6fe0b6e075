import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { UsageError } from '../../../base/errors.ts';

/**
 * Builds the image of a folder with a Dockerfile, by docker or podman. The same files have the same name, so that what was built is
 * not built again.
 */
export async function buildImage(folder: string, engine: string, signal: AbortSignal): Promise<string> {
  const tag = `localhost/hermes-environment:${hashFolder(folder)}`;
  const found = await callEngine(engine, ['image', 'inspect', tag], signal);
  if (found.code === 0) return tag;
  const { code, output } = await callEngine(engine, ['build', '-t', tag, folder], signal);
  if (code !== 0) throw new UsageError(`the image of ${folder} could not be built by ${engine}: ${output.slice(-1_000)}`);
  return tag;
}

/** Where programs of an image begin. Whoever runs containers has it by the time it is asked for. */
export async function readImageFolder(image: string, engine: string, signal: AbortSignal): Promise<string> {
  const { code, output } = await callEngine(engine, ['image', 'inspect', '--format', '{{.Config.WorkingDir}}', image], signal);
  if (code !== 0)
    throw new UsageError(
      `the working directory of ${image} could not be read by ${engine}: ${output.trim().slice(-500)}. Set env.engine to what runs the containers, or env.working_directory.`,
    );
  return output.trim() === '' ? '/' : output.trim();
}

/** As terminals look for it: what the variable names, else docker, else podman. */
export function findImageEngine(): string {
  const named = process.env['HERMES_DOCKER_BINARY'] ?? '';
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const isThere = (name: string): boolean => folders.some((folder) => existsSync(join(folder, name)));
  return named === '' ? (['docker', 'podman'].find(isThere) ?? 'docker') : named;
}

function hashFolder(folder: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).toSorted())
    hash
      .update(`${path.slice(folder.length)}\0`)
      .update(readFileSync(path))
      .update('\0');
  return hash.digest('hex').slice(0, 16);
}

const callEngine = (
  engine: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly code: number; readonly output: string }> =>
  new Promise((resolve) => {
    execFile(engine, [...args], { signal, maxBuffer: 64 * 1024 * 1024 }, (error, out, complaint) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, output: `${out}${complaint}${error === null ? '' : error.message}` });
    });
  });
