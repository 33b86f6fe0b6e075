import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Env } from '../../base/env.ts';
import { isMissing, toErrorMessage, UsageError } from '../../base/errors.ts';

/** The environment of this run: the home's `.env` below, what the process was started with above. Never written back. */
export function mergeEnvironment(envFile: string, env: Env): Env {
  try {
    return { ...parseEnv(readFileSync(envFile, 'utf8')), ...env };
  } catch (error) {
    if (isMissing(error)) return env;
    // Going on without would end in "no key", far from the cause.
    throw new UsageError(`${envFile} could not be read: ${toErrorMessage(error)}. Make the file readable, or move it away.`);
  }
}
