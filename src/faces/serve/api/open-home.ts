import { join } from 'node:path';
import { systemClock } from '../../../base/clock.ts';
import type { Env } from '../../../base/env.ts';
import { UsageError } from '../../../base/errors.ts';
import { createHttpListeners } from '../../../base/http-server/listeners.ts';
import type { HttpPlace } from '../../../base/http-server/contract.ts';
import { DEFAULT_PROFILE, toProfileName } from '../../../base/profile.ts';
import { version } from '../../../base/version.ts';
import type { Host } from '../../../contracts/host.ts';
import type { SliceValues } from '../../../contracts/settings.ts';
import { hasLocalFiles } from '../../../contracts/terminal.ts';
import type { ApprovalService } from '../../../contracts/services/owner.ts';
import type { ApiServerDeps } from './http/contract.ts';
import { NO_KEY_ADVICE, readApiKeys, type KeySettings } from './keys.ts';
import { openApiServer, type ApiServer } from './server.ts';
import { claimHome, writeApiState } from './state-file.ts';
import type { apiServerSettings } from './settings.ts';

/** What the API of a home stands on. */
export interface HomeApiDeps {
  readonly host: Host;
  /** The profile's folder. */
  readonly root: string;
  readonly settings: SliceValues<typeof apiServerSettings> &
    KeySettings & { readonly 'gateway.listen_names': readonly string[]; readonly 'terminal.backend': string };
  readonly env: Env;
  /** Which program it is part of, as `hermes gateway status` tells it. */
  readonly program: 'gateway' | 'serve';
  /** Where processes of this machine are listed that `hermes update` has to stop; absent in a gateway, which is listed itself. */
  readonly listFolder?: string;
  /** Whether commands of its sessions run behind a wall; taken as not when left out. */
  readonly isWalled?: boolean;
  readonly approvals: ApprovalService;
  readonly jobs: ApiServerDeps['jobs'];
  readonly loadImage: NonNullable<ApiServerDeps['loadImage']>;
  readonly log: (words: string) => void;
  /** Where to listen, in place of what the settings say. */
  readonly at?: Partial<HttpPlace>;
  readonly overrides?: Partial<ApiServerDeps>;
}

/** Starts the API of a home. Throws what a person can mend: no key, another process, a port that is taken. */
export async function openHomeApi(deps: HomeApiDeps): Promise<ApiServer> {
  const { root, settings, log } = deps;
  const { keys, problems } = readApiKeys(settings, deps.env, deps.isWalled === true);
  for (const problem of problems) log(problem);
  if (keys.length === 0)
    throw new UsageError(`the API does not start without a key, not even when only this computer can reach it. ${NO_KEY_ADVICE}`);
  await using opened = new AsyncDisposableStack();
  opened.use(await claimHome(root, deps.program, deps.listFolder));
  const place = { host: deps.at?.host ?? settings['gateway.api_server.host'], port: deps.at?.port ?? settings['gateway.api_server.port'] };
  const listeners = opened.use(
    createHttpListeners({
      ...place,
      names: settings['gateway.listen_names'],
      log,
      advice: 'Choose another port: gateway.api_server.port, or --port.',
    }),
  );
  const server = opened.use(await openApiServer({ ...describeServer(deps), keys }, listeners, {}));
  opened.use(writeApiState(root, describeUrl(server), log));
  const exposed = describeExposure(server.host);
  if (exposed !== undefined) log(exposed);
  const closing = opened.move();
  return {
    host: server.host,
    port: server.port,
    get running() {
      return server.running;
    },
    drain: server.drain,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** What an address means that other computers can reach. */
export const describeExposure = (host: string): string | undefined =>
  /^(?:127\.|::1$|localhost$)/.test(host)
    ? undefined
    : `the API listens at ${host}, where other computers can reach it, and nothing is encrypted: put a proxy with TLS in front of it.`;

/** Where it can be called. */
export const describeUrl = ({ host, port }: HttpPlace): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

function describeServer({ host, root, settings, approvals, jobs, loadImage, log, overrides }: HomeApiDeps): Omit<ApiServerDeps, 'keys'> {
  const profile = toProfileName(root);
  return {
    host,
    approvals,
    jobs,
    modelName: settings['gateway.api_server.model_name'] || (profile === DEFAULT_PROFILE ? 'hermes-agent' : profile),
    toolItems: settings['gateway.api_server.tool_items'],
    toolResultMs: settings['gateway.api_server.tool_result_timeout'] * 1_000,
    maxRuns: settings['gateway.api_server.max_concurrent_runs'],
    origins: settings['gateway.api_server.cors_origins'],
    names: [],
    // Each conversation has a folder of its own: what one leaves there no other sees.
    makeWorkspace: (scope) => join(root, 'workspaces', `api_server-${scope}`),
    keepsWorkspaces: !hasLocalFiles(settings['terminal.backend']),
    loadImage,
    clock: systemClock,
    log,
    version,
    ...overrides,
  };
}
