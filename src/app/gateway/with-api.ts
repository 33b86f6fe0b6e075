import { toErrorMessage } from '../../base/errors.ts';
import { runBeside } from '../../base/running.ts';
import type { Gateway } from '../../faces/gateway/runner/contract.ts';
import { describeUrl } from '../../faces/serve/api/open-home.ts';
import { openHostApi, type HostApiOptions } from '../api/open-host-api.ts';

/** The API beside the chats. Without a key, or where it cannot listen, the gateway goes on with its chats and says so. */
export async function withApi(
  gateway: Gateway,
  options: Omit<HostApiOptions, 'program'> & { readonly isNeeded: boolean },
): Promise<Gateway> {
  const { log, isNeeded } = options;
  try {
    const api = await openHostApi({ ...options, program: 'gateway' });
    log(`Serving the API at ${describeUrl(api)}/v1.`);
    return runBeside(gateway, api);
  } catch (error) {
    if (!isNeeded) {
      log(`The API was not started: ${toErrorMessage(error)}`);
      return gateway;
    }
    await gateway[Symbol.asyncDispose]();
    throw error;
  }
}
