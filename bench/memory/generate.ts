/**
 * Makes the corpus out of what was written by hand: each scenario's sessions in their order, filler exchanges before, after
 * and between them, times, the split. The same bytes on every machine; `node bench/memory.ts --write` writes the files.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { generator } from '../store-corpus.ts';
import { folder, type History, type Question, type Session, type Split } from './corpus.ts';
import { parseExchanges, shuffled, type Exchange, type Random } from './filler.ts';
import { lexicalIn } from './lexical.ts';
import { parseScenarios, type Scenario } from './scenario.ts';
import { addDays, fillSessions } from './fill-sessions.ts';

export interface Corpus {
  readonly histories: readonly History[];
  readonly questions: readonly Question[];
}

const SEED = 20_261_118;
const REPEATS = 4;

export function generate(): Corpus {
  const scenarios = parseScenarios(
    textsOf('scenarios')
      .map(({ text }) => text)
      .join('\n'),
  );
  const fillers = new Map(textsOf('fillers').map(({ name, text }) => [name, parseExchanges(text)]));
  const splits = splitOf(scenarios, generator(SEED));
  const made = scenarios.map((scenario, index) => {
    const history = historyOf(scenario, splits.get(scenario.id) ?? 'tune', fillers, generator(SEED + 1 + index));
    return { history, questions: questionsOf(scenario, history) };
  });
  return { histories: made.map(({ history }) => history), questions: made.flatMap(({ questions }) => questions) };
}

const textsOf = (kind: 'scenarios' | 'fillers') =>
  globSync(join(folder, kind, '*.txt'))
    .toSorted()
    .map((path) => ({ name: basename(path, '.txt'), text: readFileSync(path, 'utf8') }));

/** Scenarios are paired by what they are like: planted texts or none, then neighbors in the files. One of each pair is held out. */
function splitOf(scenarios: readonly Scenario[], random: Random): ReadonlyMap<string, Split> {
  const { planted = [], plain = [] } = Object.groupBy(scenarios, ({ poison }) => (poison.length > 0 ? 'planted' : 'plain'));
  const splits: [string, Split][] = [];
  for (const [index, { id }] of [...planted, ...plain].entries()) {
    const before = splits[index - 1]?.[1];
    if (index % 2 === 1) splits.push([id, before === 'tune' ? 'held-out' : 'tune']);
    else splits.push([id, random() < 0.5 ? 'tune' : 'held-out']);
  }
  return new Map(splits);
}

function historyOf(scenario: Scenario, split: Split, fillers: ReadonlyMap<string, readonly Exchange[]>, random: Random): History {
  const { id, languages, people } = scenario;
  const bank = languages.flatMap((language) => fillers.get(language) ?? []).flatMap(repeated);
  const sessions: readonly Session[] = fillSessions(scenario, shuffled(random, bank), random).map((session, index) => ({
    id: `${id}/${index + 1}`,
    ...session,
  }));
  return { id, split, languages, people, sessions };
}

/** Outputs of commands differ each time, so people ask for them again. */
const repeated = (exchange: Exchange): Exchange[] =>
  exchange.some(({ messages }) => messages.some(({ text }) => text.includes('<<'))) ? Array<Exchange>(REPEATS).fill(exchange) : [exchange];

function questionsOf({ questions, poison }: Scenario, history: History): readonly Question[] {
  const last = history.sessions.at(-1)?.turns.at(-1)?.at ?? '';
  const lexical = lexicalIn(history);
  return questions.map(({ kind, language, person, chat, text, gold, superseded, forbidden }, order) => ({
    id: `${history.id}?${order + 1}`,
    history: history.id,
    split: history.split,
    kind,
    language,
    lexical: lexical({ text, gold, forbidden, poison }),
    asker: { person, chat, at: `${addDays(last.slice(0, 10), 2 + (order % 3))}T10:00` },
    text,
    gold,
    superseded,
    forbidden,
    poison,
    isAnswerable: gold.length > 0,
  }));
}
