import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { noPty } from './on-terminal.ts';
import { command, stage } from './stage.ts';
import { openTerminalUi } from './terminal-ui.ts';

const [ENTER, CTRL_D] = ['\r', '\u0004'] as const;
const env = { OPENAI_API_KEY: 'sk-not-a-key-000000' };

const ANSWER = `## What to do

1. **Install** it
2. Run \`npm test\`

| File | Lines |
| ---- | ----- |
| a.ts | 12 |

\`\`\`ts
const answer: number = 42;
\`\`\`

${Array.from({ length: 6 }, (_, index) => `Paragraph ${index} with some more words than fit into one row of the terminal, so that it wraps.`).join('\n\n')}

That is all of it.`;

/** The last answer, and below it the status bar: nothing runs. */
const OVER = /Counted to forty\.\n\s*\ntest-model │ /;

/** From the first message to the last line above the status bar. */
const transcriptOf = (text: string): string => {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const first = lines.indexOf('❯ how do I start?');
  const end = lines.findLastIndex((line) => line.includes('│ cache') || /^\S+ │ /.test(line));
  return lines.slice(first, end).join('\n').trimEnd();
};

for (const [columns, rows] of [
  [80, 24],
  [200, 50],
] as const)
  test(`a resumed session is drawn as it was live, answers and calls whole, at ${columns}×${rows}`, { skip: noPty }, async () => {
    await using server = await startWireServer({});
    const { home, cwd } = stage({
      model: { base_url: `${server.url}/v1`, default: 'test-model', context_length: 128_000 },
      terminal: { backend: 'local' },
    });
    let live = '';
    {
      await using ui = await openTerminalUi({ home, cwd, env, columns, rows });
      await ui.until(/Ctrl\+D exits/);
      server.script({ text: ANSWER }, command('seq 1 40'), { text: 'Counted to *forty*.' });
      ui.type(`how do I start?${ENTER}`);
      await ui.until(/That is all of it\./);
      ui.type(`now count${ENTER}`);
      live = transcriptOf(await ui.until(OVER));
      ui.type(CTRL_D);
      assert.equal(await ui.ended, 0);
    }
    await using again = await openTerminalUi({ home, cwd, env, columns, rows, args: ['-c'] });
    const resumed = transcriptOf(await again.until(OVER));
    assert.equal(resumed, live);
    assert.match(resumed, /Paragraph 5[^]*That is all of it\.[^]*Run seq 1 40/);
  });
