import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { claimFile, readClaim } from '../../../base/claim-file.ts';
import { isMissing, toErrorMessage, UsageError } from '../../../base/errors.ts';
import { parseJson, readNumberAt, readStringAt } from '../../../base/json.ts';
import type { ProcessIdentity } from '../../../base/process-identity.ts';
import { replaceFile } from '../../../base/replace-file.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { ApiState } from '../../../contracts/services/gateway.ts';

const claimPath = (root: string): string => join(root, 'api-server.pid');
const statePath = (root: string): string => join(root, 'api_server_state.json');

/** Where all API servers of a machine that are programs of their own see each other. */
const LISTED = 'serve-';
const listPath = (folder: string, root: string): string => join(folder, `${LISTED}${sha256(root).slice(0, 16)}.lock`);

/** One process serves a home: a second one would not reach the turns of the first. With a folder it is listed there as well. */
export async function claimHome(root: string, program: string, listFolder?: string): Promise<AsyncDisposable> {
  const facts = { kind: 'hermes-api-server', hermes_home: root, program };
  const claimed = await claimFile(claimPath(root), facts);
  if (!claimed.ok) throw new UsageError(`the API of ${root} is served already, by process ${claimed.holder.pid}. Stop that one first.`);
  await using claims = new AsyncDisposableStack();
  claims.use(claimed.claim);
  const listed = listFolder === undefined ? undefined : await claimFile(listPath(listFolder, root), facts);
  if (listed?.ok === true) claims.use(listed.claim);
  return claims.move();
}

/** A process that serves the API of a home. */
export interface RunningApiServer extends ProcessIdentity {
  readonly home: string;
}
/** The one of a home, if one runs: the gateway, or a program of its own. */
export const findApiServer = (root: string): RunningApiServer | undefined => readServer(claimPath(root));

/** Every one that is listed in a folder. */
export function findListedServers(folder: string): readonly RunningApiServer[] {
  try {
    const names = readdirSync(folder).filter((name) => name.startsWith(LISTED) && name.endsWith('.lock'));
    return names.flatMap((name) => readServer(join(folder, name)) ?? []);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function readServer(path: string): RunningApiServer | undefined {
  const holder = readClaim(path);
  if (holder === undefined) return undefined;
  const { pid, host, space, started, facts } = holder;
  return { pid, host, space, started, home: readStringAt(facts, 'hermes_home') ?? '' };
}

/** Says where the API is served, for `hermes gateway status`, until it is closed. */
export function writeApiState(root: string, url: string, log: (words: string) => void): Disposable {
  try {
    replaceFile(statePath(root), `${JSON.stringify({ pid: process.pid, url })}\n`);
  } catch (error) {
    log(`hermes gateway status cannot tell where the API is served: ${toErrorMessage(error)}`);
  }
  return { [Symbol.dispose]: () => rmSync(statePath(root), { force: true }) };
}

/** How long an answer may take before it counts as none. */
const ASK_MS = 2_000;

/** Whether the API of a home is served: by whoever claims to, and only if it answers. */
export async function readApiState(root: string): Promise<ApiState> {
  const holder = readClaim(claimPath(root));
  if (holder === undefined) return { running: false };
  const program = readStringAt(holder.facts, 'program');
  const who = { pid: holder.pid, ...(program !== undefined && { program }) };
  const url = readUrl(root, holder.pid);
  if (url === undefined) return { running: false, ...who, why: 'It is starting.' };
  const running = await isAnswering(url);
  return { running, ...who, url, ...(!running && { why: `Process ${holder.pid} does not answer.` }) };
}

function readUrl(root: string, pid: number): string | undefined {
  try {
    const state = parseJson(readFileSync(statePath(root), 'utf8'));
    return readNumberAt(state, 'pid') === pid ? readStringAt(state, 'url') : undefined;
  } catch {
    return undefined;
  }
}

async function isAnswering(url: string): Promise<boolean> {
  // Where it listens everywhere, it is asked here.
  const near = url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
  return fetch(`${near}/health`, { signal: AbortSignal.timeout(ASK_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
}
