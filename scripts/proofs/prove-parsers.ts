/**
 * Tool-call parsers against the templates of vendors and the parsers of sglang. Writes docs/proofs/parsers.md:
 *   npm run prove -- parsers
 */
import { writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { isObject, parseJson } from '../../src/base/json.ts';
import { findToolCallParser, joinPieces } from '../../src/parts/tool-call-parsers/all.ts';
import { installPeers, MISTRAL, SGLANG } from './parsers/install.ts';
import { askSglang, listQuestions, writeByMistral, type Answer, type Question } from './parsers/oracles.ts';
import { findReason } from './parsers/reasons.ts';
import { TEMPLATES, writeByTemplate, type Written } from './parsers/templates.ts';

export function proveParsers(count: number, page = 'docs/proofs/parsers.md'): boolean {
  const trouble = installPeers();
  if (trouble.length > 0) {
    console.log(`The parsers cannot be proved here: ${trouble.join('; ')}`);
    return false;
  }
  const rows = [
    ...TEMPLATES.map((row) => ({ parser: row.parser, source: row.source, ...score(row.parser, writeByTemplate(row, count)) })),
    ...Object.entries(writeByMistral(count)).map(([version, written]) => ({
      parser: 'mistral',
      source: `${MISTRAL}, ${version}`,
      ...score('mistral', written),
    })),
  ];
  const questions = listQuestions(count);
  const compared = compare(questions, askSglang(questions));
  writeFileSync(page, renderPage(rows, compared, questions.length));
  return rows.every(({ read, streamed, all }) => read === all && streamed === all) && compared.every(({ why }) => why !== undefined);
}

/** How many call sets come back as they were, whole and letter by letter. */
function score(name: string, written: readonly Written[]) {
  const parser = findToolCallParser(name);
  const fits = written.map(({ set, text }) => {
    const whole = parser.parse(text, set.tools);
    const run = parser.begin(set.tools);
    const streamed = joinPieces([...text.split('').flatMap((letter) => run.step(letter)), ...run.end()]);
    const calls = whole.calls.map((call) => ({ name: call.name, arguments: call.arguments }));
    return { isRead: isDeepStrictEqual([whole.content, calls], [set.content, set.calls]), isSame: isDeepStrictEqual(whole, streamed) };
  });
  return { all: fits.length, read: fits.filter(({ isRead }) => isRead).length, streamed: fits.filter(({ isSame }) => isSame).length };
}

function compare(questions: readonly Question[], answers: readonly Answer[]) {
  return questions.flatMap(({ parser, title, text, tools, drawn }, index) => {
    const known = tools.filter(({ parameters }) => Object.keys(parameters).length > 0);
    const defined = known.flatMap((tool) => {
      const input = parseJson(JSON.stringify(tool.parameters));
      return isObject(input) ? [{ name: tool.name, description: '', input }] : [];
    });
    const ours = findToolCallParser(parser)
      .parse(text, defined)
      .calls.map((call) => ({ name: call.name, arguments: call.arguments }));
    const theirs = answers[index]?.calls?.map((call) => ({ name: call.name, arguments: parseJson(call.arguments) }));
    // What was drawn is right: no reason excuses reading something else.
    const isRight = drawn === undefined || isDeepStrictEqual(ours, drawn);
    if (isRight && isDeepStrictEqual(ours, theirs)) return [];
    const why = isRight ? findReason(parser, title, text) : undefined;
    return [{ parser, title, isGenerated: drawn !== undefined, ours: ours.length, theirs: theirs?.length ?? 'an error', why }];
  });
}

function renderPage(
  rows: readonly { parser: string; source: string; all: number; read: number; streamed: number }[],
  differences: ReturnType<typeof compare>,
  asked: number,
): string {
  const cases = differences.filter(({ isGenerated }) => !isGenerated);
  const counts = Map.groupBy(
    differences.filter(({ isGenerated }) => isGenerated),
    ({ parser, why }) => `${parser} | ${why ?? 'UNEXPLAINED'}`,
  );
  return `# Tool-call parsers

\`npm run prove -- parsers\` draws call sets by seed, has them written by somebody else's template, and reads them back.

| Parser | Written by | Call sets | Read back | Streamed letter by letter as whole |
|---|---|---:|---:|---:|
${rows.map((row) => `| ${row.parser} | ${row.source} | ${row.all} | ${row.read} | ${row.streamed} |`).join('\n')}

No template of Kimi K2, GLM or LongCat is in a package registry. Kimi K2 and GLM are compared with sglang below. LongCat is compared with nobody: sglang has no parser for it, and vLLM's parsers cannot be imported without torch (\`vllm/config/utils.py\` imports it), so that only vLLM's templates are used. What is tested is that LongCat reads every text of Hermes, with its own markers in place of those of Hermes, as Hermes reads it (\`test/parts/tool-call-parsers/longcat.test.ts\`).

## Compared with ${SGLANG}

${asked} texts: the cases of \`test/fixtures/tool-call-parsers/\` (without those held out), and generated ones. ${differences.length} are read otherwise.

### Cases

| Parser | Case | Our calls | sglang's calls | Why |
|---|---|---:|---:|---|
${cases.map((row) => `| ${row.parser} | ${row.title} | ${row.ours} | ${row.theirs} | ${row.why ?? 'UNEXPLAINED'} |`).join('\n')}

### Generated texts

In each of them ours are the calls that the text was made of.

| Parser | Why | Texts |
|---|---|---:|
${[...counts].map(([key, list]) => `| ${key} | ${list.length} |`).join('\n')}

Run on ${new Date().toISOString().slice(0, 16)}Z, Node ${process.versions.node}.
`;
}
