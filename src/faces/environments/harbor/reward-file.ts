import { isObject } from '../../../base/json.ts';
import type { Reward, RewardContext } from '../../../contracts/environment.ts';

/** How a verifier ended, and what it left. */
export interface VerifierEnd {
  readonly exitCode: number | null;
  readonly output: string;
  /** The text of `reward.txt`, else of `reward.json`; absent when neither is there. */
  readonly text?: string;
  readonly json?: string;
}

const TAIL = 2_000;
const tailOf = (output: string): string => output.trim().slice(-TAIL);

/**
 * The reward a verifier left: a number, or named numbers of which `reward` counts (else their mean). Without one it is 0, whatever
 * the exit code says: a verifier that was killed has judged nothing. Pure.
 */
export function readRewardFile({ exitCode, output, text, json }: VerifierEnd): Exclude<Reward, number> {
  const metrics = { verifier_exit_code: exitCode ?? -1 };
  const value = text === undefined ? Number.NaN : Number(text.trim() === '' ? Number.NaN : text);
  if (Number.isFinite(value)) return { reward: value, metrics, ...(value < 1 && { note: tailOf(output) }) };
  const named = json === undefined ? {} : readNumbers(json);
  const values = Object.values(named);
  if (values.length === 0) return { reward: 0, metrics, note: `The verifier left no reward. ${tailOf(output)}`.trim() };
  const { reward = values.reduce((sum, one) => sum + one, 0) / values.length, ...others } = named;
  return { reward, metrics: { ...others, ...metrics }, ...(reward < 1 && { note: tailOf(output) }) };
}

function readNumbers(json: string): Readonly<Record<string, number>> {
  try {
    const value: unknown = JSON.parse(json);
    if (!isObject(value)) return {};
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, one]) => (typeof one === 'number' && Number.isFinite(one) ? [[name, one]] : [])),
    );
  } catch {
    return {};
  }
}

/** What lies in the folder of the verifier. */
export async function readVerifierFolder(
  { readFile }: Pick<RewardContext, 'readFile'>,
  folder: string,
): Promise<Pick<VerifierEnd, 'text' | 'json'>> {
  const [text, json] = await Promise.all(['reward.txt', 'reward.json'].map((name) => readFile(`${folder}/${name}`).catch(() => undefined)));
  return { ...(text !== undefined && { text }), ...(json !== undefined && { json }) };
}
