import { execFile } from 'node:child_process';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readNumberAt } from '../../../base/json.ts';
import { toErrorMessage, UsageError } from '../../../base/errors.ts';
import type { RunningGateway } from './claims.ts';

type ServiceOfGateway = Pick<RunningGateway, 'service'>;
type ServiceVerb = 'start' | 'stop';
const run = promisify(execFile);

/** One way to say it to a manager. `codes` are failures that mean something else: that it is done (`true`) or that it has no such service. */
interface ManagerCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly codes?: Readonly<Record<number, boolean>>;
}

export const findLaunchAgent = (name: string): string => join(homedir(), 'Library', 'LaunchAgents', `${name}.plist`);

/** What each manager is told, the first that works. */
const MANAGERS: Readonly<Record<string, (scope: string, name: string, verb: ServiceVerb) => readonly ManagerCall[]>> = {
  systemd: (scope, name, verb) => [{ program: 'systemctl', args: [...(scope === 'user' ? ['--user'] : []), verb, name] }],
  launchd: (_scope, name, verb) => {
    const domain = `gui/${userInfo().uid}`;
    // Code 36: it is going down, which takes as long as its turns do. Code 3: it is not loaded.
    if (verb === 'stop') return [{ program: 'launchctl', args: ['bootout', `${domain}/${name}`], codes: { 36: true, 3: false } }];
    // A stop unloads it. One that is loaded already is only started.
    return [
      { program: 'launchctl', args: ['bootstrap', domain, findLaunchAgent(name)] },
      { program: 'launchctl', args: ['kickstart', `${domain}/${name}`] },
    ];
  },
};

/** Whoever starts it again is told first: a service that is only ended comes back. */
export const stopService = (gateway: ServiceOfGateway): Promise<boolean> => tellManager(gateway, 'stop');
/** `false` when no service manager has it. */
export const startService = (gateway: ServiceOfGateway): Promise<boolean> => tellManager(gateway, 'start');

async function tellManager({ service }: ServiceOfGateway, verb: ServiceVerb): Promise<boolean> {
  const [manager = '', scope = '', name] = service?.split(':') ?? [];
  const calls = name === undefined ? undefined : MANAGERS[manager]?.(scope, name, verb);
  if (calls === undefined) return false;
  const failures: string[] = [];
  for (const { program, args, codes } of calls) {
    try {
      await run(program, args);
      return true;
    } catch (error) {
      const meaning = codes?.[readNumberAt(error, 'code') ?? -1];
      if (meaning !== undefined) return meaning;
      const line = `${scope === 'system' ? 'sudo ' : ''}${program} ${args.join(' ')}`;
      failures.push(`${program} could not ${verb} it: ${toErrorMessage(error)}. Try: ${line}`);
    }
  }
  throw new UsageError(`the gateway is a service, and ${failures.at(0) ?? ''}`);
}
