import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { claimFile, readClaim, readLostClaim } from '../../../base/claim-file.ts';
import type { FileHolder } from '../../../base/holder-file.ts';
import type { Env } from '../../../base/env.ts';
import { isMissing } from '../../../base/errors.ts';
import { readStringAt } from '../../../base/json.ts';
import type { ProcessIdentity } from '../../../base/process-identity.ts';
import { sha256 } from '../../../base/sha256.ts';
import { isDetached } from './launch.ts';

/** A gateway that runs: which process, since when, for which home, and who starts it again. */
export interface RunningGateway extends Pick<FileHolder, 'pid' | 'host' | 'space' | 'started'> {
  readonly home: string;
  readonly startedAt: string;
  readonly argv: readonly string[];
  /** `systemd:user:hermes-gateway`, where a service manager started it. */
  readonly service?: string;
  /** It runs in the background, and nobody but itself starts it again. */
  readonly isDetached?: true;
}
export type GatewayClaim =
  | { readonly ok: true; readonly claim: AsyncDisposable }
  | { readonly ok: false; readonly holder: ProcessIdentity };

const KIND = 'hermes-gateway';

/** Where all gateways of a machine see each other, whatever their homes. */
export function findLockFolder(env: Env): string {
  const named = env['HERMES_GATEWAY_LOCK_DIR'];
  if (named !== undefined && named !== '') return named;
  const state = env['XDG_STATE_HOME'];
  const home = env['HOME'];
  return join(
    state !== undefined && state !== '' ? state : join(home !== undefined && home !== '' ? home : homedir(), '.local', 'state'),
    'hermes',
    'gateway-locks',
  );
}

export const pidFile = (root: string): string => join(root, 'gateway.pid');
const machineFile = (folder: string, root: string): string => join(folder, `gateway-${sha256(root).slice(0, 16)}.lock`);

/** Claims a home for this process: in the home itself, and where `stop --all` looks. */
export async function claimGateway(root: string, env: Env): Promise<GatewayClaim> {
  const service = env['HERMES_GATEWAY_SERVICE'];
  const facts = {
    kind: KIND,
    hermes_home: root,
    start_time: new Date().toISOString(),
    argv: process.argv.slice(1),
    ...(service !== undefined && service !== '' && { service }),
    ...(isDetached(env) && { detached: true }),
  };
  const own = await claimFile(pidFile(root), facts);
  if (!own.ok) return own;
  const listed = await claimFile(machineFile(findLockFolder(env), root), facts);
  await using claims = new AsyncDisposableStack();
  claims.use(own.claim);
  if (listed.ok) claims.use(listed.claim);
  return { ok: true, claim: claims.move() };
}

/** The gateway of a home, if one runs. */
export const findGateway = (root: string): RunningGateway | undefined => toGateway(readClaim(pidFile(root)));
/** The one that ran last, if it was killed, or broke, before it could give its place back. */
export const findLostGateway = (root: string): RunningGateway | undefined => toGateway(readLostClaim(pidFile(root)));

/** Every gateway of this machine and person. */
export function findAllGateways(env: Env): readonly RunningGateway[] {
  const folder = findLockFolder(env);
  return listFiles(folder).flatMap((name) => (name.startsWith('gateway-') ? (toGateway(readClaim(join(folder, name))) ?? []) : []));
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.lock'));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function toGateway(holder: FileHolder | undefined): RunningGateway | undefined {
  if (holder === undefined || holder.facts['kind'] !== KIND) return undefined;
  const { pid, host, space, started, facts } = holder;
  const { argv, service, detached } = facts;
  return {
    pid,
    host,
    space,
    started,
    home: readStringAt(facts, 'hermes_home') ?? '',
    startedAt: readStringAt(facts, 'start_time') ?? '',
    argv: Array.isArray(argv) ? argv.filter((word) => typeof word === 'string') : [],
    ...(typeof service === 'string' && { service }),
    ...(detached === true && { isDetached: true }),
  };
}
