/** held-out/agent-run-hermes: the real agent with its real tools over a copy of a part of this repository. Run: node agent-run-hermes.ts */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createAgent } from '../../../src/agent/agent.ts';
import { RECOVERIES } from '../../../src/agent/recoveries/table.ts';
import { agentSettings } from '../../../src/agent/settings.ts';
import type { ContextEngine } from '../../../src/contracts/context-engine.ts';
import { isMessageEntry, type Entry } from '../../../src/contracts/entry.ts';
import { createTextBlock, type Message } from '../../../src/contracts/message.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import type { Terminal } from '../../../src/contracts/terminal.ts';
import type { AnyTool } from '../../../src/contracts/tool.ts';
import { SCRIPTED, scriptedRoute } from '../../../src/testing/scripted-route.ts';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { localTerminal } from '../../../src/parts/terminals/local/local.ts';
import { spillTo } from '../../../src/parts/tools/budget.ts';
import { guardFiles } from '../../../src/parts/tools/builtin/files/guarded.ts';
import { createFileMemory } from '../../../src/parts/tools/builtin/files/memory.ts';
import { patchTool } from '../../../src/parts/tools/builtin/patch/tool.ts';
import { createProcessTable } from '../../../src/parts/tools/builtin/terminal/processes.ts';
import { readFileTool } from '../../../src/parts/tools/builtin/read-file.ts';
import { searchFilesTool } from '../../../src/parts/tools/builtin/search/tool.ts';
import { terminalTool } from '../../../src/parts/tools/builtin/terminal/terminal.ts';
import { todoTool } from '../../../src/parts/tools/builtin/todo/tool.ts';
import { writeFileTool } from '../../../src/parts/tools/builtin/write-file.ts';
import { toolSettings } from '../../../src/parts/tools/settings.ts';
import { createToolkit } from '../../../src/parts/tools/toolkit.ts';
import { scriptedProvider, type ScriptedAnswer as Said } from '../../../src/testing/scripted-provider.ts';
import { wordsOf, type Line } from '../verify.ts';
import type { Turn } from './agent-run-story.ts';
import { script } from './agent-run-script.ts';
import { frozenTree, plant } from './agent-run-tree.ts';

const NAME = 'agent-run-hermes';
const SHOWN = '/home/user/hermes';
const OWN_MODULES = join(import.meta.dirname, '../../../node_modules');

/** Shows everything: the run is to be recorded, not shortened. */
const whole: ContextEngine = {
  name: 'whole',
  view: (entries) => entries.filter(isMessageEntry).map(({ message }) => ({ message })),
  estimate: () => 1,
  shouldCompress: () => false,
  compress: async () => ({ ok: false, why: 'nothing is ever left out here' }),
};

/** What the model says, in order; the last turn is cut off after its last step. */
const spoken = (turns: readonly Turn[]): Said[] =>
  turns.flatMap((turn, index) => [
    ...turn.steps.map((step, at) => ({
      ...(step.text !== undefined && { text: step.text }),
      calls: step.calls.map((call, which) => ({ id: `call_${index + 1}_${at + 1}_${which + 1}`, ...call })),
    })),
    { text: turn.answer ?? 'unsaid' },
  ]);

function toolsIn(terminal: Terminal, home: string): AnyTool[] {
  const files = { cwd: () => terminal.cwd, guard: guardFiles(home), memory: createFileMemory() };
  const shell = { processes: createProcessTable(), timeoutSeconds: 120, maxTimeoutSeconds: 600, maxOutput: 50_000 };
  return [
    terminalTool({ ...shell, judge: () => ({ type: 'fine' }) }),
    readFileTool({ ...files, maxChars: () => 100_000 }),
    writeFileTool(files),
    patchTool(files),
    searchFilesTool(files),
    todoTool({}),
  ];
}

async function record(turns: readonly Turn[], project: string, home: string): Promise<readonly Entry[]> {
  await using store = await openSqliteStore({ path: join(home, 'sessions.db') });
  const path = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
  await using terminal = await localTerminal.open({ cwd: project, env: { PATH: path, HOME: home, LANG: 'C.UTF-8', TMPDIR: home } });
  const toolkit = await createToolkit({
    tools: toolsIn(terminal, home),
    toolsets: ['test'],
    terminal,
    ports: {},
    approval: { ask: async () => ({ allow: true, by: 'the script' }) },
    spill: spillTo(join(home, 'spill'), collectDefaults(toolSettings)),
  });
  let now = Date.parse('2025-11-03T09:00:00Z');
  const agent = createAgent(
    store,
    {
      ...scriptedRoute(scriptedProvider(spoken(turns))),
      context: whole,
      toolkit,
      recoveries: RECOVERIES,
      settings: { ...collectDefaults(agentSettings), 'tool_loop_guardrails.hard_stop_enabled': false },
      clock: { now: () => (now += 1), sleep: async () => {} },
      random: () => 0,
      prompt: {
        render: async () => ({ slots: [{ name: 'identity', lifetime: 'session', text: 'You help with this project.' }], notices: [] }),
      },
    },
    { ...SCRIPTED, limits: { window: 10_000_000 } },
  );
  const session = await store.create({ source: 'cli', cwd: project, model: SCRIPTED.model, provider: SCRIPTED.provider });
  for (const { user } of turns) {
    const turn = agent.send(session, { role: 'user', content: [createTextBlock(user, 'owner')] }, new AbortController().signal);
    for await (const _event of turn);
  }
  const entries = await store.entries(session.id);
  const broken = entries.find((entry) => entry.type === 'outcome' && entry.outcome !== 'answered');
  if (broken !== undefined) throw new Error(`a turn of the run did not end with an answer: ${JSON.stringify(broken)}`);
  return entries;
}

/** Times, process numbers and folders of this machine are made into those of the story. */
function settled(places: readonly (readonly [string, string])[]): (words: string) => string {
  let drawn = 0;
  const figure = () => ((drawn++ * 7919) % 30_011) / 1000 + 0.2;
  return (words) =>
    places
      .reduce((all, [from, to]) => all.replaceAll(from, to), words)
      .replaceAll(/hermes-(test|tools?)-\w{6}/g, 'hermes-$1-q3Zk8T')
      .replaceAll(/\d+(?:\.\d+)?ms\b/g, () => `${figure().toFixed(3)}ms`)
      .replaceAll(/duration_ms \d+(?:\.\d+)?/g, () => `duration_ms ${(figure() * 40).toFixed(3)}`);
}

const mended = (message: Message, settle: (words: string) => string): Message =>
  message.role === 'tool'
    ? { ...message, content: message.content.map((block) => (block.type === 'text' ? { ...block, text: settle(block.text) } : block)) }
    : message;

function linesOf(entries: readonly Entry[], settle: (words: string) => string): Line[] {
  let turn = 0;
  const lines = entries.filter(isMessageEntry).map(({ origin, message }): Line => {
    if (origin !== 'user' && origin !== 'model' && origin !== 'tool')
      throw new Error(`an entry of ${origin} is not expected here: ${wordsOf(message)}`);
    turn += origin === 'user' ? 1 : 0;
    return { origin, turn, message: mended(message, settle) };
  });
  return lines.slice(0, -1);
}

function questionsOf(turns: readonly Turn[], lines: readonly Line[]) {
  const words = lines.map(({ message }) => wordsOf(message));
  const placed = turns.flatMap(({ asked = [] }, index) => asked.map((question) => ({ question, turn: index + 1 })));
  return placed.map(({ question, turn }, index) => {
    const line = lines.findIndex((one, at) => one.turn === turn && words[at]?.includes(question.answer[0] ?? '') === true);
    if (line < 0) throw new Error(`turn ${turn} does not say ${question.answer[0]}`);
    return { id: `${NAME}-${String(index + 1).padStart(2, '0')}`, ...question, line };
  });
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'recall-')));
try {
  const tree = frozenTree();
  const [project, home] = [join(folder, 'hermes'), join(folder, 'home')];
  plant(tree, project);
  plant({ 'config.yaml': '' }, home);
  const turns = script(tree);
  const settle = settled([
    [project, SHOWN],
    [home, '/home/user'],
    [folder, '/home'],
    [OWN_MODULES, `${SHOWN}/node_modules`],
  ]);
  const lines = linesOf(await record(turns, project, home), settle);
  const tokens = Math.floor(lines.reduce((sum, { message }) => sum + wordsOf(message).length, 0) / 4);
  const about =
    'The agent itself adds an option to its read_file tool and reviews the tools part of its own sources, recorded from a real run.';
  const place = join(import.meta.dirname, '../held-out', NAME);
  writeFileSync(`${place}.jsonl.gz`, gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { level: 9 }));
  writeFileSync(
    `${place}.json`,
    `${JSON.stringify({ name: NAME, about, tokens, turns: turns.length, questions: questionsOf(turns, lines) }, undefined, 2)}\n`,
  );
  console.log(`${NAME}: ${lines.length} lines, ${turns.length} turns, ${tokens} tokens`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
