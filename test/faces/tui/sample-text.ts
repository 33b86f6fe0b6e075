import type { ToolDetails } from '../../../src/contracts/details.ts';
import type { SeededRandom } from '../../../src/testing/seeded-random.ts';

/** Pieces of Markdown of every kind, some of them broken, some of them hostile. */
const PIECES = [
  'word ',
  'two words',
  ' **bold text** ',
  '*lean* ',
  '`a  code` ',
  '**never closed ',
  '`open ',
  '[a page](https://example.com/a_b?c=d) ',
  '<https://example.com/very/long/address/that/does/not/fit/in/forty/columns> ',
  '中文字符没有空格，也要换行。',
  '👨‍👩‍👧 emoji 🇩🇪 ',
  'x'.repeat(97),
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '\n- item ',
  '\n  - nested item with several words that go on ',
  '\n1. first ',
  '\n> quoted words ',
  '\n## Heading\n',
  '\n---\n',
  '\n```ts\nconst a = "b";\n\tfoo();\n```\n',
  '\n```\n',
  '\n~~~py\n',
  'code "quoted\n'.repeat(7),
  '\n| a | b |\n|---|---|\n| 1 | two words |\n| `x` | **y** |\n',
  '\n| no table |\n',
  '\u001b[31mred\u001b[0m ',
  '\u001b]8;;http://evil\u0007 ',
  '\u202e ',
  '***both*** ',
  '\\*escaped\\* ',
  'snake_case_name ',
  '- [ ] task ',
  '\n- [x] done ',
  '\t tab ',
] as const;

export const randomMarkdown = (chance: SeededRandom, most = 25): string => chance.list(1, most, () => chance.pick(PIECES)).join('');

/** What a call did, of every kind. */
export function randomDetails(chance: SeededRandom): ToolDetails | undefined {
  const text = () => randomMarkdown(chance, 3);
  const lines = chance.list(
    1,
    40,
    (index) => `${chance.pick(['+', '-', ' '])}line ${index} ${chance.hits(0.2) ? text().replaceAll(/[\r\n]/g, ' ') : ''}`,
  );
  return chance.pick<ToolDetails | undefined>([
    undefined,
    {
      kind: 'diff',
      files: chance.list(1, 3, () => ({
        path: `src/${text()}`,
        change: chance.pick(['created', 'changed', 'deleted']),
        diff: `--- a/x\n+++ b/x\n@@ -1,4 +1,5 @@\n${lines.join('\n')}`,
        added: chance.int(0, 20),
        removed: chance.int(0, 20),
        ...(chance.hits(0.2) && { cut: true as const }),
      })),
    },
    {
      kind: 'tasks',
      tasks: chance.list(0, 6, (index) => ({
        id: String(index),
        content: text(),
        status: chance.pick(['pending', 'in_progress', 'completed', 'cancelled']),
        ...(index > 0 && chance.hits(0.4) && { parent: String(chance.int(0, 6)) }),
      })),
    },
    { kind: 'media', items: [{ path: `/tmp/${text()}` }] },
    {
      kind: 'command',
      exitCode: chance.pick([0, 1, 127, null]),
      ended: chance.pick(['exited', 'timeout', 'aborted']),
      cwd: '/',
      meaning: text(),
    },
    { kind: 'process', id: text(), pid: 7 },
    {
      kind: 'children',
      children: chance.list(1, 3, () => ({ status: chance.pick(['completed', 'failed', 'partial']), sessionId: text() })),
    },
    { kind: 'data', data: { total_lines: 3, total_count: 2 } },
    { kind: 'left_out', of: 'diff', chars: 900_000 },
  ]);
}
