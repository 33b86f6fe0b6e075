import type { Env } from '../../../base/env.ts';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { UsageError } from '../../../base/errors.ts';

/** A program that runs containers, as docker does. */
export interface ContainerEngine {
  readonly file: string;
  /** What it needs of our environment to find its server and its files. */
  readonly env: Readonly<Record<string, string>>;
  run(args: readonly string[], timeoutMs: number): Promise<EngineAnswer>;
}
export interface EngineAnswer {
  readonly code: number;
  readonly out: string;
  readonly complaint: string;
}

/** `HERMES_DOCKER_BINARY`, else docker, else podman. */
export function findEngine(env: Env): ContainerEngine {
  const named = env['HERMES_DOCKER_BINARY'];
  const file = named !== undefined && named !== '' ? inPath(named, env) : (inPath('docker', env) ?? inPath('podman', env));
  if (file === undefined) {
    const wanted =
      named !== undefined && named !== '' ? `${named} (HERMES_DOCKER_BINARY) is not there` : 'there is neither docker nor podman in PATH';
    throw new UsageError(`Commands cannot be run in a container: ${wanted}. Install one, or set terminal.backend.`);
  }
  return createContainerEngine(file, env);
}

export function createContainerEngine(file: string, env: Env): ContainerEngine {
  const own = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value !== undefined && OWN.test(name) ? [[name, value]] : [])),
  );
  return { file, env: own, run: (args, timeoutMs) => answerOf(file, args, own, timeoutMs) };
}
const OWN =
  /^(?:PATH|HOME|USER|LANG|LC_\w+|TMPDIR|XDG_\w+|DOCKER_\w+|CONTAINER_HOST|CONTAINERS_\w+|SINGULARITY_\w+|APPTAINER_\w+|DBUS_SESSION_BUS_ADDRESS)$/;

function inPath(name: string, env: Env): string | undefined {
  if (isAbsolute(name)) return existsSync(name) ? name : undefined;
  return (env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => (folder === '' ? [] : [join(folder, name)]))
    .find(existsSync);
}

const answerOf = (file: string, args: readonly string[], env: Readonly<Record<string, string>>, timeout: number): Promise<EngineAnswer> =>
  new Promise((resolve) => {
    execFile(file, [...args], { env, timeout, maxBuffer: 4 * 1024 * 1024 }, (error, out, complaint) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, out: out.trim(), complaint: complaint.trim() || (error?.message ?? '') });
    });
  });
