import { identifyOwnProcess as identity, type ProcessIdentity } from '../../../base/process-identity.ts';

export { isAlive } from '../../../base/process-identity.ts';

/** Who holds a claim, as it is stored: claims are only judged on the host they name. */
export type StoreHolder = Pick<ProcessIdentity, 'host' | 'pid' | 'started'> & Partial<Pick<ProcessIdentity, 'space'>>;

export function identifyThisProcess(): StoreHolder {
  const { host, pid, started, space } = identity();
  return { host, pid, started, space };
}
