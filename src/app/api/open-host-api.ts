import type { HttpPlace } from '../../base/http-server/contract.ts';
import type { Host } from '../../contracts/host.ts';
import type { JobService } from '../../contracts/services/jobs.ts';
import type { ApprovalService } from '../../contracts/services/owner.ts';
import { findLockFolder } from '../../faces/gateway/process/claims.ts';
import { openHomeApi } from '../../faces/serve/api/open-home.ts';
import type { ApiServer } from '../../faces/serve/api/server.ts';
import type { AppHost } from '../host/host.ts';
import type { Env } from '../../base/env.ts';
import { ApiError } from '../../faces/serve/api/http/errors.ts';
import type { ApiServerDeps } from '../../faces/serve/api/http/contract.ts';
import { openReach } from '../../parts/safety/urls/reach.ts';
import { isWalledHere } from '../../parts/terminals/sandbox/known.ts';
import { detectPictureKind } from '../../parts/tools/builtin/media/kinds.ts';
import type { Settings } from '../config/config.ts';

export interface HostApiOptions {
  readonly host: AppHost & Host;
  readonly approvals: ApprovalService;
  readonly jobs: JobService;
  readonly log: (words: string) => void;
  readonly program: 'gateway' | 'serve';
  readonly at?: Partial<HttpPlace>;
}

/** The API of the profile that a host is open on. */
export async function openHostApi({ host, approvals, jobs, log, program, at }: HostApiOptions): Promise<ApiServer> {
  const { home, env } = host;
  const { settings } = host.config;
  const loadImage = createImageLoader({ settings, root: home.root, env, log });
  return openHomeApi({
    host,
    root: home.root,
    settings,
    env,
    program,
    isWalled: await isWalledHere(settings['terminal.backend'], home.root),
    approvals,
    jobs,
    loadImage,
    log,
    ...(program === 'serve' && { listFolder: findLockFolder(env) }),
    ...(at !== undefined && { at }),
  });
}

/** A larger picture is refused by some models. */
const MAX_BYTES = 3_750_000;
const FETCH_MS = 30_000;

/** Loads pictures that a request names by their address: from the public network, as tools do. */
function createImageLoader(options: {
  readonly settings: Settings;
  readonly root: string;
  readonly env: Env;
  readonly log: (words: string) => void;
}): NonNullable<ApiServerDeps['loadImage']> {
  const { settings, root, env, log } = options;
  const reach = openReach({ settings, home: root, env, notice: log });
  return async (url, signal) => {
    const fetched = await reach.fetch({ url, signal, timeoutMs: FETCH_MS, maxBytes: MAX_BYTES + 1 });
    const bytes = fetched.ok && fetched.status === 200 && fetched.body.length <= MAX_BYTES ? fetched.body : undefined;
    const kind = bytes && detectPictureKind(bytes);
    // Why is not told: it would tell what can be reached from here.
    if (bytes === undefined || kind === undefined)
      throw new ApiError(
        400,
        'invalid_image_url',
        'No picture of at most 3.75 MB could be loaded from that address. Send it as a data: URL.',
      );
    return { type: 'image', mime: kind.mime, data: bytes.toString('base64'), trust: 'foreign' };
  };
}
