import { sumActivity, type Insights } from '../../src/commands/insight-sums.ts';
import { QUARTER_HOUR, type ActivityCounts } from '../../src/contracts/ledger.ts';
import type { StoredCompactionReport } from '../../src/contracts/session-store.ts';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';

const DAY = 86_400_000;
/** Noon, where the reader is. */
export const NOW = new Date(2026, 10, 15, 12).getTime();

const MODELS = [
  ['anthropic', 'claude-sonnet-4.5', undefined],
  ['openrouter', 'moonshotai/kimi-k2-thinking-turbo-preview', undefined],
  ['anthropic', 'claude-haiku-4.5', 'compaction'],
  ['ollama', '千問-大型模型', 'title'],
] as const;
const TOOLS = ['terminal', 'read_file', 'patch', 'search_files', 'web_fetch', 'mcp__a_server_with_a_long_name__find_everything_there_is'];

/** Days of work as a store would count them: wide names, a rare price, failures, a quiet week. */
export function sampleInsights(days: number, seed = 'insights'): Insights {
  const random = createSeededRandom(seed);
  const draw = (most: number): number => random.int(0, most - 1);
  const calls: ActivityCounts['calls'][number][] = [];
  const turns: ActivityCounts['turns'][number][] = [];
  const sessions: ActivityCounts['sessions'][number][] = [];
  for (let day = 0; day < days; day++) {
    if (day % 9 === 4) continue;
    for (let slot = 0; slot < 4 + draw(8); slot++) {
      const at = Math.floor((NOW - (day + 1) * DAY + (8 + draw(14)) * 4 * QUARTER_HOUR) / QUARTER_HOUR) * QUARTER_HOUR;
      const [provider, model, purpose] = MODELS[draw(MODELS.length)] ?? MODELS[0];
      const count = 1 + draw(12);
      const usage = { input: draw(9_000), output: draw(4_000), cacheRead: draw(90_000), cacheWrite: draw(6_000), reasoning: draw(900) };
      const known = provider !== 'ollama';
      calls.push({
        at,
        provider,
        model,
        ...(purpose !== undefined && { purpose }),
        result: draw(9) === 0 ? 'rate_limited' : 'stop',
        calls: count,
        estimated: draw(20) === 0 ? 1 : 0,
        ms: count * (800 + draw(9_000)),
        usage,
        price: known ? count * random.next() * 0.05 : 0,
        unpriced: known ? 0 : count,
      });
      turns.push({
        at,
        exitReason: (['answered', 'answered', 'answered', 'interrupted', 'turn_limit'] as const)[draw(5)] ?? 'answered',
        turns: 1 + draw(4),
      });
      if (slot < 2) sessions.push({ at, source: slot === 0 ? 'cli' : 'cron', sessions: 1 });
    }
  }
  const order = (a: { at: number }, b: { at: number }) => a.at - b.at;
  const tools = TOOLS.map((name, index) => ({
    name,
    calls: 400 >> index,
    failed: index * 2,
    timed: 300 >> index,
    ms: 90_000 * (index + 1),
  }));
  const activity: ActivityCounts = {
    calls: calls.toSorted(order),
    turns: turns.toSorted(order),
    sessions: sessions.toSorted(order),
    tools,
  };
  return sumActivity(activity, { days, since: NOW - days * DAY, now: NOW, compactions: sampleReports(days, draw) });
}

const sampleReports = (days: number, draw: (most: number) => number): StoredCompactionReport[] =>
  Array.from({ length: Math.min(40, days) }, (_, index) => {
    const before = 60_000 + draw(120_000);
    const refused = index % 7 === 3;
    return {
      sessionId: '20261101_101500_ab12cd',
      at: NOW - (days - index) * DAY,
      engine: 'compressor',
      reason: 'threshold',
      outcome: refused ? 'refused' : 'summary',
      tokensBefore: before,
      tokensAfter: refused ? before : Math.floor(before / (4 + draw(6))),
      messagesBefore: 60 + draw(90),
      messagesAfter: refused ? 60 : 8 + draw(9),
      ms: 3_000 + draw(20_000),
      ...(!refused && { model: 'claude-haiku-4.5' }),
    };
  });
