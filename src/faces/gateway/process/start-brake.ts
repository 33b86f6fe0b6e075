import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../../base/env.ts';
import { replaceFile } from '../../../base/replace-file.ts';

const MAX_STARTS = 5;
const WINDOW_S = 120;

/**
 * Notes a start, and gives how long to wait before going on: a gateway that is started again and again must not log in to its
 * services each time.
 */
export function noteStart(root: string, env: Env, now: number): number {
  const path = join(root, 'gateway-starts.log');
  const windowMs = readNumber(env['HERMES_GATEWAY_START_WINDOW_S'], WINDOW_S) * 1_000;
  const starts = [...readStarts(path).filter((at) => at > now - windowMs && at <= now), now];
  replaceFile(path, starts.map((at) => `${new Date(at).toISOString()}\n`).join(''));
  return planWait(starts.length, readNumber(env['HERMES_GATEWAY_MAX_STARTS'], MAX_STARTS));
}

/** 10 s after the first start too many, then twice as long each time, up to 5 minutes. */
export const planWait = (starts: number, max: number): number =>
  starts <= max ? 0 : Math.min(300, 5 * 2 ** Math.min(starts - max, 6)) * 1_000;

function readStarts(path: string): readonly number[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => Date.parse(line))
      .filter((at) => !Number.isNaN(at));
  } catch {
    return [];
  }
}

const readNumber = (text: string | undefined, otherwise: number): number => {
  const value = Number(text);
  return text !== undefined && text !== '' && Number.isFinite(value) && value > 0 ? value : otherwise;
};
