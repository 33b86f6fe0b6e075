import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { toErrorMessage, UsageError } from '../../../base/errors.ts';
import type { RunningGateway } from './claims.ts';

type ServiceOfGateway = Pick<RunningGateway, 'service'>;
const run = promisify(execFile);

/** Whoever starts it again is told first: a service of systemd that is only ended comes back. */
export const stopService = (gateway: ServiceOfGateway): Promise<boolean> => tellManager(gateway, 'stop');
/** `false` when no service manager has it. */
export const startService = (gateway: ServiceOfGateway): Promise<boolean> => tellManager(gateway, 'start');

async function tellManager({ service }: ServiceOfGateway, verb: 'start' | 'stop'): Promise<boolean> {
  const [manager, scope, name] = service?.split(':') ?? [];
  if (manager !== 'systemd' || name === undefined) return false;
  const args = [...(scope === 'user' ? ['--user'] : []), verb, name];
  try {
    await run('systemctl', args);
    return true;
  } catch (error) {
    const line = `${scope === 'system' ? 'sudo ' : ''}systemctl ${args.join(' ')}`;
    throw new UsageError(`the gateway is a service, and systemctl could not ${verb} it: ${toErrorMessage(error)}. Try: ${line}`);
  }
}
