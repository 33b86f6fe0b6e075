import type { Env } from '../../../base/env.ts';
import { findEngine } from './engine.ts';

const LIST_MS = 30_000;
const REMOVE_MS = 120_000;

/** Removes all containers that carry a label (`key=value`), running or not, and tells how many. Throws where there is no engine. */
export async function removeLabelled(label: string, env: Env): Promise<number> {
  const engine = findEngine(env);
  const { out } = await engine.run(['ps', '-aq', '--no-trunc', '--filter', `label=${label}`], LIST_MS);
  const ids = out.split('\n').filter((id) => /^[0-9a-f]{12,}$/.test(id));
  if (ids.length > 0) await engine.run(['rm', '-f', '-t', '0', ...ids], REMOVE_MS);
  return ids.length;
}
