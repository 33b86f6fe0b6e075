/**
 * The memory exam: what a memory brings back for questions about histories of several sessions, scored by text without a model.
 *   node bench/memory.ts [--only NAME] [--split tune|held-out] [--misses] [--json]
 * `--misses` lists what went wrong in the tuning half. The held-out half is only counted: who tunes must not read it.
 *   node bench/memory.ts --write       makes the corpus again from what was written by hand
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { carefulGrep, full, grep, nothing } from './memory/baselines.ts';
import { sit, type Contestant } from './memory/contestant.ts';
import { folder, readHistories, readQuestions, toLines } from './memory/corpus.ts';
import { generate } from './memory/generate.ts';
import { reportOf, type Mark } from './memory/score.ts';
import { journal, journalWithVectors } from './memory/journal.ts';
import { sessionLog } from './memory/session-log.ts';
import { tablesOf } from './memory/tables.ts';

const endpoint = process.env['HERMES_EXAM_EMBEDDINGS'];
const CONTESTANTS: readonly Contestant[] = [
  nothing,
  full,
  grep,
  carefulGrep,
  sessionLog,
  journal,
  ...(endpoint === undefined ? [] : [journalWithVectors(endpoint)]),
];

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    split: { type: 'string' },
    misses: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

function write(): void {
  const { histories, questions } = generate();
  writeFileSync(join(folder, 'histories.jsonl'), toLines(histories));
  writeFileSync(join(folder, 'questions.jsonl'), toLines(questions));
  console.log(`${histories.length} histories, ${questions.length} questions`);
}

async function examine(): Promise<void> {
  const contestants = CONTESTANTS.filter(({ name }) => values.only === undefined || values.only === name);
  if (contestants.length === 0)
    throw new Error(`no contestant ${values.only}; there are ${CONTESTANTS.map(({ name }) => name).join(', ')}`);
  const questions = readQuestions().filter(({ split }) => values.split === undefined || values.split === split);
  const sittings = [];
  for (const contestant of contestants) sittings.push({ name: contestant.name, marks: await sit(contestant, readHistories(), questions) });
  const reports = sittings.map(({ name, marks }) => ({ name, report: reportOf(marks) }));
  console.log(
    values.json ? JSON.stringify(Object.fromEntries(reports.map(({ name, report }) => [name, report])), null, 2) : tablesOf(reports),
  );
  if (values.misses)
    for (const { name, marks } of sittings) for (const mark of marks.filter(isTuningMiss)) console.log(wordsOf(name, mark));
}

const isTuningMiss = ({ question, isRight }: Mark): boolean => question.split === 'tune' && !isRight;
const wordsOf = (name: string, { question, ...mark }: Mark): string =>
  `${name} ${question.id} ${question.kind} ${question.lexical}: ${question.text} [${Object.entries(mark)
    .filter(([, isTrue]) => isTrue)
    .map(([key]) => key)
    .join(' ')}]`;

if (values.write) write();
else await examine();
