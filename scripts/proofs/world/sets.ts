import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RowStep, WorldOrder, WorldResult, WorldRow } from './row.ts';

export type Half = 'tune' | 'held-out';
export type Owner = 'root' | 'user';
const UID: Readonly<Record<Owner, string>> = { root: '0', user: '1000' };
/** What keeps commands in, and the programs that are not in the machine, so that it is found there. */
const WITHOUT = { bubblewrap: '', floor: 'bwrap' } as const;
export type Tier = keyof typeof WITHOUT;
export const TIERS = Object.keys(WITHOUT) as readonly Tier[];
export const isTier = (name: string): name is Tier => Object.hasOwn(WITHOUT, name);
/** Whose machine it is. */
export interface Machine {
  readonly owner: Owner;
  readonly tier: Tier;
}

const WORLD = fileURLToPath(new URL('world.sh', import.meta.url));
const FIXTURES = new URL('../../../test/fixtures/', import.meta.url);

/** Why no throw-away machine can be made here; nothing when one can. */
export const noWorld: string | undefined =
  process.platform !== 'linux' || process.getuid?.() !== 0 ? 'a throw-away machine needs Linux and root' : undefined;

/** Carries one order out in a throw-away machine. */
export function runInWorld(order: WorldOrder, { owner, tier }: Machine, relay?: string): Promise<WorldResult> {
  const child = spawn('/bin/bash', [WORLD, UID[owner], ...(order.plain === true ? ['plain'] : [])], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, WORLD_WITHOUT: WITHOUT[tier], ...(relay !== undefined && { WORLD_RELAY: relay }) },
  });
  const { promise, resolve } = Promise.withResolvers<WorldResult>();
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(order));
  const trouble = (why: string): WorldResult => ({ id: order.row.id, prepared: false, steps: [], questions: [], trouble: why });
  child.once('error', (error) => resolve(trouble(error.message)));
  child.once('close', () => {
    try {
      const result = JSON.parse(out) as WorldResult;
      const isOther = order.mode === 'wall' && order.settings === undefined && result.tier !== undefined && result.tier !== tier;
      resolve(isOther ? { ...result, trouble: `it ran behind ${result.tier}` } : result);
    } catch {
      resolve(trouble(err.slice(-2_000) || 'the throw-away machine ended without a word'));
    }
  });
  return promise;
}

const lines = <Row>(path: string): Row[] => {
  const file = new URL(path, FIXTURES);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as Row]));
};

/** A row that needs programs which are not here is left out, and said. */
export interface NeedyRow extends WorldRow {
  readonly kind: string;
  readonly needs?: readonly string[];
}
export const attacks = (half: Half): NeedyRow[] => lines<NeedyRow>(`wall/${half}/two-step.jsonl`);

export interface EverydayRow extends NeedyRow {
  readonly output: boolean;
  readonly network: 'none' | 'registry' | 'other';
  readonly touches?: string;
}
export const everyday = (half: Half): EverydayRow[] =>
  lines<Omit<EverydayRow, 'steps'> & { readonly command: string }>(`wall/${half}/everyday.jsonl`).map(({ command, ...row }) => ({
    ...row,
    steps: [{ run: command }],
    ...(row.touches === 'tmp' && { checkInside: true as const }),
  }));

/** A command of the old corpora, with the harm it is known for. */
export const commands = (half: Half): NeedyRow[] =>
  lines<CommandRow>(`commands/${half}/dangerous.jsonl`).flatMap(({ id, kind, command, run }) =>
    run.harmed === undefined ? [] : [{ id, kind, prepare: run.prepare ?? 'true', steps: [{ run: command }], harmed: run.harmed }],
  );
interface CommandRow {
  readonly id: string;
  readonly kind: string;
  readonly command: string;
  readonly run: { readonly prepare?: string; readonly harmed?: string };
}

export interface InjectedRow extends NeedyRow {
  readonly source: string;
  readonly text: string;
  readonly mustStop: boolean;
  /** Tool servers its acts go to. */
  readonly servers: readonly string[];
}
interface StoredInjected {
  readonly id: string;
  readonly source: string;
  readonly text: string;
  readonly class: string;
  readonly acts: readonly { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }[];
  readonly harmed: string | null;
  readonly effect_test?: string;
  readonly must_stop: boolean;
}
export const injected = (half: Half): InjectedRow[] =>
  lines<StoredInjected>(`wall/${half}/injected.jsonl`).map(({ id, source, text, acts, harmed, must_stop: mustStop, ...row }) => ({
    id,
    source,
    text,
    kind: row.class,
    mustStop,
    harmed: harmed ?? row.effect_test ?? null,
    servers: acts.flatMap(({ tool }) => (tool.startsWith('mcp:') ? [tool.slice('mcp:'.length)] : [])),
    steps: acts.map(toToolStep),
  }));
/** Rows name tools as agents in general do; these are ours. */
function toToolStep({ tool, args }: StoredInjected['acts'][number]): RowStep {
  if (tool.startsWith('mcp:')) return { tool: `mcp__${tool.slice('mcp:'.length).replaceAll(/[^A-Za-z0-9]/g, '_')}__call`, args };
  if (/^(?:web_?(?:fetch|extract|get)|fetch|browser\w*)$/.test(tool)) return { tool: 'web_extract', args: { urls: [args['url']].flat() } };
  if (tool === 'memory') return { tool, args: { target: 'memory', ...args } };
  if (tool !== 'send_message') return { tool, args };
  const { to, target = to, message, text = message, body = text } = args;
  return { tool, args: { action: 'send', target: target ?? 'telegram', message: body ?? '' } };
}

export interface DayRow extends WorldRow {
  readonly day: number;
  readonly title: string;
}
type StoredStep = RowStep | { readonly web: string } | { readonly search: string } | { readonly memory: string };
export const days = (half: Half): DayRow[] =>
  lines<Omit<DayRow, 'steps' | 'id'> & { readonly steps: readonly StoredStep[] }>(`wall/${half}/days.jsonl`).map((row) => ({
    ...row,
    id: `day-${row.day}`,
    steps: row.steps.map(toStep),
  }));
function toStep(step: StoredStep): RowStep {
  if ('web' in step) return { tool: 'web_extract', args: { urls: [step.web] } };
  if ('search' in step) return { tool: 'web_search', args: { query: step.search } };
  if ('memory' in step) return { tool: 'memory', args: { action: 'add', target: 'memory', content: step.memory } };
  return step;
}
