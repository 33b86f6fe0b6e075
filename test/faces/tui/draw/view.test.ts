import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '../../../../src/agent/agent.ts';
import { drawBlocks } from '../../../../src/faces/tui/draw/block.ts';
import { createTranscriptView } from '../../../../src/faces/tui/draw/view.ts';
import { applyEntries } from '../../../../src/faces/tui/transcript/entries.ts';
import { applyEvent } from '../../../../src/faces/tui/transcript/events.ts';
import { promptMarks } from '../../../../src/faces/tui/terminal/sequences.ts';
import type { Entry } from '../../../../src/contracts/entry.ts';
import { createTranscript } from '../../../../src/faces/tui/transcript/state.ts';
import type { DrawContext } from '../../../../src/faces/tui/contract.ts';
import { createTextBlock } from '../../../../src/contracts/message.ts';
import { scriptedProvider } from '../../../../src/testing/scripted-provider.ts';
import { collect, RUNTIME, says, setup, testTool } from '../../../agent/setup.ts';

const context: DrawContext = { columns: 60, rows: 24, style: (_, text) => text, now: 0, showThinking: true };

test('a turn that is drawn as it runs prints what its log draws', async () => {
  const provider = scriptedProvider([
    {
      thinking: 'Let me look.\nTwice.',
      text: 'I look at the *file* first, in a sentence that is longer than one line takes.\n\n- a\n- b',
      chunk: 3,
      calls: [
        { id: 'c1', name: 'look', input: { path: 'a.ts' } },
        { id: 'c2', name: 'look', input: { path: 'b.ts' } },
      ],
    },
    { text: 'Done. `code` and\n\n```ts\nconst a = 1;\n```\n', chunk: 5 },
  ]);
  const scene = await setup(provider, {
    tools: [
      testTool('look', async ({ path }, { report }) => {
        report('half of\nit ');
        return { content: [createTextBlock(`1 ${String(path)}\n2\n3\n4\n5\n6\n7`, 'tool')] };
      }),
    ],
  });
  const { events } = await collect(
    createAgent(scene.store, scene.deps, RUNTIME).send(scene.session, says('look at it'), new AbortController().signal),
  );
  const view = createTranscriptView();
  const printed: string[] = [];
  let state = createTranscript();
  for (const event of events) {
    state = applyEvent(state, event, 0);
    const drawn = view.draw(state, context);
    printed.push(...drawn.printed);
    state = drawn.rest;
  }
  const rebuilt = applyEntries(await scene.store.entries(scene.session.id));
  assert.deepEqual(
    printed,
    drawBlocks(
      rebuilt.finished.map(({ block }) => block),
      context,
    ),
  );
  assert.deepEqual(state.live, []);
});

test('what is live has no marks for the terminal; they come with what is printed', () => {
  const steer: Entry = { id: 'e', sessionId: 's', at: 0, seq: 1, type: 'message', origin: 'steer', message: says('hurry') };
  const view = createTranscriptView();
  const marked: DrawContext = { ...context, marks: promptMarks };
  const writing = applyEvent(createTranscript(), { type: 'text_delta', delta: 'Some words' }, 0);
  const waiting = view.draw(applyEvent(writing, { type: 'entry', entry: steer }, 0), marked);
  assert.deepEqual([waiting.printed, waiting.live], [[], ['Some words', '', '↪ hurry']]);
  const over = applyEvent(waiting.rest, { type: 'settled', outcome: { type: 'answered', exitReason: 'answered', text: '' } }, 0);
  assert.deepEqual(view.draw(over, marked).printed, [`${promptMarks.prompt}↪ ${promptMarks.input}hurry`]);
});
