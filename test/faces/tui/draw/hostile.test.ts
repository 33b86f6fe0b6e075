import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '../../../../src/agent/agent.ts';
import { createTextBlock } from '../../../../src/contracts/message.ts';
import type { DrawContext } from '../../../../src/faces/tui/contract.ts';
import { drawBlock } from '../../../../src/faces/tui/draw/block.ts';
import { createTranscriptView } from '../../../../src/faces/tui/draw/view.ts';
import { createMainScreen } from '../../../../src/faces/tui/screen/main-screen.ts';
import { applyEntries } from '../../../../src/faces/tui/transcript/entries.ts';
import { applyEvent } from '../../../../src/faces/tui/transcript/events.ts';
import { createTranscript } from '../../../../src/faces/tui/transcript/state.ts';
import { scriptedProvider } from '../../../../src/testing/scripted-provider.ts';
import { collect, RUNTIME, says, setup, testTool } from '../../../agent/setup.ts';
import { CONTROLS, HOSTILE, OURS } from '../input/hostile-texts.ts';
import { XtermScreen } from '../screen/xterm.ts';

/** Links that may be followed and marks of messages are ours, in exactly this form. */
// oxlint-disable no-control-regex -- sequences are what this is about
const LINKS =
  // oxlint-disable-next-line no-control-regex -- sequences are what this is about
  /\u001b\]8;[^\u0007\u001b;]*;(?:https?:[\u0021-\u007e]*|file:[\u0021-\u007e]*)?(?:\u0007|\u001b\\)|\u001b\]133;[ABCD](?:;[\w=;]*)?(?:\u0007|\u001b\\)/g;
// oxlint-enable no-control-regex

/** A turn in which everything somebody else can write is this text. */
async function playTurn(text: string) {
  const chunk = Math.max(3, Math.ceil(text.length / 40));
  const provider = scriptedProvider([
    { thinking: text, text, chunk, calls: [{ id: 'c1', name: 'look', input: { path: text } }] },
    { text: `\`${text}\`\n\n- ${text}\n\n\`\`\`sh\n${text}\n\`\`\`\n`, chunk: chunk * 3 },
  ]);
  const look = testTool('look', async (_, { report }) => {
    report(text);
    return { content: [createTextBlock(text, 'tool')] };
  });
  const scene = await setup(provider, { tools: [look] });
  const agent = createAgent(scene.store, scene.deps, RUNTIME);
  const { events } = await collect(agent.send(scene.session, says(text), new AbortController().signal));
  return { events, entries: await scene.store.entries(scene.session.id) };
}

test('60 hostile texts as message, thought, answer, call and output: nothing of them is obeyed at three widths, live or opened', async () => {
  for (const [index, text] of HOSTILE.entries()) {
    const { events, entries } = await playTurn(text);
    for (const columns of [40, 80, 120]) {
      const context: DrawContext = { columns, rows: 24, style: (_, words) => words, now: 0, showThinking: true };
      const xterm = new XtermScreen({ columns, rows: 24 });
      const screen = createMainScreen(xterm.write, { columns, rows: 24 });
      const view = createTranscriptView();
      let state = createTranscript();
      for (const [at, event] of events.entries()) {
        state = applyEvent(state, event, 0);
        if (event.type.endsWith('_delta') && at % 5 > 0) continue;
        const { printed, live, rest } = view.draw(state, context);
        state = rest;
        screen.update(printed, { lines: [...live, '❯'] });
      }
      const opened = applyEntries(entries).finished.flatMap(({ block }) => drawBlock(block, { ...context, expanded: true }));
      const all = [
        xterm.log.replaceAll(LINKS, '').replaceAll(OURS, ''),
        ...opened.map((line) => line.replaceAll(LINKS, '').replaceAll(OURS, '')),
      ];
      for (const drawn of all)
        assert.doesNotMatch(drawn, CONTROLS, `text ${index} at ${columns}: ${JSON.stringify(CONTROLS.exec(drawn)?.input.slice(0, 200))}`);
      await xterm.settle();
      assert.equal(xterm.terminal.buffer.active.type, 'normal');
    }
  }
});
