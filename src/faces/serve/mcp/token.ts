import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../../base/env.ts';
import { readErrorCode, toErrorMessage, UsageError } from '../../../base/errors.ts';
import type { Home } from '../../../base/home.ts';

/** What clients of the HTTP server prove themselves with, and the file it is in unless the environment gave it. */
export interface ServeToken {
  readonly token: string;
  readonly file?: string;
}

export const TOKEN_VARIABLE = 'HERMES_MCP_SERVE_TOKEN';
/** A token that can be guessed is none. */
const LEAST = 16;

/** The owner's own token, or one that is made once and kept where commands of the agent cannot read it. */
export function readServeToken(env: Env, { root }: Home): ServeToken {
  const given = env[TOKEN_VARIABLE] ?? '';
  if (given !== '' && given.length < LEAST)
    throw new UsageError(
      `${TOKEN_VARIABLE} has ${given.length} characters, but needs at least ${LEAST}. Choose a longer one, or leave it out.`,
    );
  if (given !== '') return { token: given };
  const file = join(root, 'mcp-tokens', 'serve-token');
  return { token: readKept(file) ?? makeToken(file), file };
}

function readKept(file: string): string | undefined {
  try {
    const token = readFileSync(file, 'utf8').trim();
    return token.length < LEAST ? undefined : token;
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return undefined;
    throw new UsageError(`the token in ${file} could not be read: ${toErrorMessage(error)}. Remove the file, or set ${TOKEN_VARIABLE}.`);
  }
}

function makeToken(file: string): string {
  const token = randomBytes(24).toString('base64url');
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${token}\n`, { mode: 0o600 });
    return token;
  } catch (error) {
    throw new UsageError(`a token could not be kept in ${file}: ${toErrorMessage(error)}. Set ${TOKEN_VARIABLE} instead.`);
  }
}
