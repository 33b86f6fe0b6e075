import type { Environment } from '../../../contracts/environment.ts';
import { hermesTasks } from './hermes-tasks.ts';
import { swe } from './swe.ts';
import { tblite, terminalBench } from './terminal-bench.ts';
import { terminalTest } from './terminal-test.ts';
import { ycBench } from './yc-bench.ts';

/** The environments that come along, by name. Each loads its tasks when it is run, and is given no others. */
export const ENVIRONMENTS: ReadonlyMap<string, Environment> = new Map(
  [terminalTest, hermesTasks, swe, terminalBench, tblite, ycBench].map((one): [string, Environment] => [one.name, one]),
);
