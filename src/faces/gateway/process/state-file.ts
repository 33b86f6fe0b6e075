import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, parseJson } from '../../../base/json.ts';
import { replaceFile } from '../../../base/replace-file.ts';
import type { GatewayReport } from '../../../contracts/services/gateway.ts';

const stateFile = (root: string): string => join(root, 'gateway_state.json');

/** What a gateway last said of itself, for `hermes gateway status`. */
export function writeReport(root: string, report: GatewayReport): void {
  replaceFile(stateFile(root), `${JSON.stringify(report, undefined, 2)}\n`);
}

/** What a process of this pid said last; nothing that another one said. */
export function readReport(root: string, pid: number): GatewayReport | undefined {
  try {
    const value = parseJson(readFileSync(stateFile(root), 'utf8'));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `writeReport` alone
    return isObject(value) && value['pid'] === pid && typeof value['at'] === 'number' ? (value as unknown as GatewayReport) : undefined;
  } catch {
    return undefined;
  }
}
