/**
 * The journal at size: recall over many facts, beside one bare full-text query of the same database.
 *   node bench/journal.ts [--facts N]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { resolveHome } from '../src/base/home.ts';
import { openJournalDatabase } from '../src/parts/memory/journal/database.ts';
import { openFactTable, toToken } from '../src/parts/memory/journal/facts.ts';
import { createJournal } from '../src/parts/memory/journal/journal.ts';
import { toTerms } from '../src/parts/memory/journal/words/terms.ts';
import { english, generator } from './store-corpus.ts';

const { values } = parseArgs({ options: { facts: { type: 'string', default: '100000' } } });
const ROUNDS = 60;
const PER_TURN = 2;

const folder = mkdtempSync(join(tmpdir(), 'hermes-journal-bench-'));
try {
  const path = join(folder, 'journal.db');
  using db = openJournalDatabase(path);
  const random = generator(7);
  const sentences = Array.from({ length: Number(values.facts) }, () => english(random, 9));
  const table = openFactTable(db);
  for (let start = 0; start < sentences.length; start += 1_000)
    db.write(() => {
      for (let at = start; at < Math.min(start + 1_000, sentences.length); at += PER_TURN)
        table.insert(
          {
            key: `t${at}`,
            session: `s${Math.floor(at / 40)}`,
            at,
            platform: 'cli',
            user_id: null,
            chat_id: null,
            is_group: 0,
            is_owner: 1,
            foreign_source: null,
          },
          sentences
            .slice(at, at + PER_TURN)
            .map((text) => ({ speaker: 'person', kind: 'statement', text, foreign_source: null, quarantine: null })),
        );
    });
  const queries = Array.from({ length: ROUNDS }, (_, index) => (sentences[index * 31] ?? '').split(' ').slice(2, 7));
  const bare = queries.map((words) => {
    const match = toTerms(words.join(' '))
      .map(({ key }) => `"${toToken(key)}"`)
      .join(' OR ');
    return timed(() =>
      db.all('SELECT rowid FROM turn_words WHERE turn_words MATCH ? ORDER BY rank LIMIT 20', match === '' ? '"a"' : match),
    );
  });
  const journal = createJournal({ home: resolveHome({ HERMES_HOME: folder }) });
  const signal = new AbortController().signal;
  const recalls: number[] = [];
  for (const words of queries) {
    const start = performance.now();
    await journal.recall?.(`What about ${words.join(' ')}?`, { sessionId: 'ask', platform: 'cli', isOwner: true, maxChars: 6_000, signal });
    recalls.push(performance.now() - start);
  }
  await journal.close?.();
  const [query, recall] = [median(bare), median(recalls)];
  console.log(
    `facts ${values.facts}  bare query ${query.toFixed(2)} ms  recall median ${recall.toFixed(2)} ms, p95 ${quantile(recalls, 0.95).toFixed(2)} ms  ratio ${(recall / query).toFixed(1)}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
function quantile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;
}
function median(times: readonly number[]): number {
  return quantile(times, 0.5);
}
