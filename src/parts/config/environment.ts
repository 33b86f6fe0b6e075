import { parseEnv } from 'node:util';
import type { Env } from '../../base/env.ts';
import { toErrorMessage, UsageError } from '../../base/errors.ts';
import { readOwnText } from '../../base/own-text.ts';
import { findEnvProblems } from './env-lines.ts';

/** The environment of this run: the home's `.env` below, what the process was started with above. Never written back. */
export function mergeEnvironment(envFile: string, env: Env): Env {
  const text = readEnvText(envFile);
  if (text === undefined) return env;
  const broken = findEnvProblems(text).find(({ stops }) => stops);
  if (broken !== undefined)
    throw new UsageError(`${envFile}:${broken.line}: ${broken.words}, so later lines may be part of it. Close it. Nothing was started.`);
  return { ...parseEnv(text), ...env };
}

/** Lines that are passed over or replaced by later ones, each with file and line. */
export const describeEnvLines = (envFile: string): readonly string[] =>
  findEnvProblems(readEnvText(envFile) ?? '').flatMap(({ line, words, stops }) => (stops ? [] : [`${envFile}:${line}: ${words}.`]));

function readEnvText(envFile: string): string | undefined {
  try {
    return readOwnText(envFile);
  } catch (error) {
    // Going on without would end in "no key", far from the cause.
    throw new UsageError(`${envFile} could not be read: ${toErrorMessage(error)}. Make the file readable, or move it away.`);
  }
}
