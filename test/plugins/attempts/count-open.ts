import type { SandboxTools } from '../../../src/parts/terminals/sandbox/tools.ts';
import type { Attempt } from './row.ts';
import { runAttempts } from './run-attempts.ts';
import { hasControl, runControl } from './run-control.ts';

export interface AttemptCount {
  readonly tried: number;
  readonly controls: number;
  /** Came off although they must not, with the run. Those that are known have a reason. */
  readonly open: readonly { readonly name: string; readonly declared: boolean; readonly known?: string }[];
  /** Did not come off although they are declared, or have no walls. */
  readonly idle: readonly string[];
}

/** Every row in all three ways, behind one tier of the wall. */
export async function countOpen(rows: readonly Attempt[], tools: SandboxTools): Promise<AttemptCount> {
  const open: AttemptCount['open'][number][] = [];
  const idle: string[] = [];
  for (const declared of [false, true]) {
    const tried = new Map((await runAttempts(rows, declared, tools)).map(({ name, cameOff }) => [name, cameOff]));
    for (const { name, allowed, open: everywhere, openBehindFloor } of rows) {
      const known = everywhere ?? (declared && tools.tier === 'floor' ? openBehindFloor : undefined);
      const may = declared && allowed === 'declared';
      if (tried.get(name) === true && !may) open.push({ name, declared, ...(known !== undefined && { known }) });
      if (tried.get(name) !== true && may) idle.push(name);
    }
  }
  for (const { name, cameOff } of await runControl(rows)) if (!cameOff) idle.push(`${name} (without walls)`);
  return { tried: rows.length, controls: rows.filter(hasControl).length, open, idle };
}
