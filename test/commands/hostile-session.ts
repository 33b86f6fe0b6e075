import { fenceText, fenceTextWithKey } from '../../src/base/fence.ts';
import type { Entry, NewEntry } from '../../src/contracts/entry.ts';
import type { CallRecord } from '../../src/contracts/ledger.ts';
import { createTextBlock } from '../../src/contracts/message.ts';
import type { Session } from '../../src/contracts/session-store.ts';
import { createCallRecord, RUNTIME } from '../../src/testing/conformance/session-store-samples.ts';

/** What tries to act in a page: each sets `window.ran` or asks a server of loopback if it can. */
export const ATTACKS: readonly string[] = [
  '<script>window.ran = 1</script>',
  '</title></style></script><script>window.ran = 2</script>',
  '<img src=x onerror="window.ran = 3">',
  '<svg onload="window.ran = 4"><script>window.ran = 4</script></svg>',
  '[click](javascript:window.ran=5) <javascript:window.ran=5>',
  '[click](data:text/html,<script>window.ran=6</script>)',
  '![pixel](http://127.0.0.1:9/pixel.png) <img src="http://127.0.0.1:9/pixel.png">',
  '<iframe src="http://127.0.0.1:9/frame"></iframe><object data="http://127.0.0.1:9/o"></object>',
  '<link rel=stylesheet href="http://127.0.0.1:9/x.css"><style>@import "http://127.0.0.1:9/y.css"; body { display: none }</style>',
  '<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/away"><base href="http://127.0.0.1:9/">',
  '<details open ontoggle="window.ran = 7"><summary>x</summary></details>',
  '" onmouseover="window.ran = 8" x="',
  "' autofocus onfocus='window.ran = 9' x='",
  '```html" onload="window.ran=10\n<script>window.ran = 10</script>\n```',
  '`<script>window.ran = 11</script>` | <b>a</b> |\n|---|\n| <script>window.ran = 11</script> |',
  '[a]: javascript:window.ran=12\n\n[a] and [b](<javascript:window.ran=12> "x\\" onclick=\\"window.ran=12")',
  '\u202egnp.exe\u2066 \u001b]8;;http://127.0.0.1:9/\u0007link\u001b]8;;\u0007 \u001b[2J\u0000',
  '<form action="http://127.0.0.1:9/f"><button autofocus>send</button></form><input onfocus=window.ran=13 autofocus>',
  '&lt;script&gt;window.ran = 14&lt;/script&gt; &#60;script>window.ran = 14</script>',
  '<math><mtext></p><style><img src=x onerror="window.ran = 15"></style></mtext></math>',
];
const ALL = ATTACKS.join('\n\n');
/** One red point. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

export const SESSION: Session = {
  id: '20261114_101500_ab12cd',
  source: 'cli',
  platform: 'cli',
  cwd: '/work/<b>demo</b>',
  model: 'claude-sonnet-4.5',
  provider: 'anthropic',
  title: `Fix the parser </title>${ATTACKS[0]}`,
  startedAt: Date.parse('2026-11-14T10:15:00Z'),
  updatedAt: Date.parse('2026-11-14T10:25:00Z'),
  messages: 8,
  unfinished: false,
};
const KEY = 'a1b2c3d4';

const epoch: NewEntry = {
  type: 'epoch',
  origin: 'system',
  cause: 'start',
  epoch: {
    slots: [
      { name: 'identity', lifetime: 'session', text: 'You are Hermes.' },
      {
        name: 'project',
        lifetime: 'session',
        text: `Rules:\n${fenceText('project-file', { path: 'AGENTS.md' }, `Use tabs. ${ALL}`)}\nEnd.`,
      },
    ],
    tools: [{ name: 'patch', description: 'changes files', input: {} }],
    model: 'claude-sonnet-4.5',
    provider: 'anthropic',
    toolsets: ['default'],
    markKey: KEY,
  },
};

const BODIES: readonly NewEntry[] = [
  epoch,
  {
    type: 'message',
    origin: 'user',
    message: {
      role: 'user',
      content: [
        createTextBlock('The parser fails on **nested** lists.\nPlease fix `parse()`.', 'owner'),
        { type: 'image', mime: 'image/png', data: PNG, trust: 'owner' },
        { type: 'image', mime: 'image/svg+xml', data: PNG, trust: 'foreign' },
        { type: 'file', name: ATTACKS[2] ?? '', mime: 'text/plain', data: 'aGk=', trust: 'owner' },
      ],
    },
  },
  {
    type: 'message',
    origin: 'model',
    message: {
      role: 'assistant',
      content: [
        { type: 'thinking', text: 'Where does it fail? Probably in the recursion.', trust: 'model' },
        createTextBlock('I will look at the file and run its tests.', 'model'),
        { type: 'tool_call', id: 'c1', name: 'terminal', input: { command: `npm test 2>&1 | tail -20 # ${ATTACKS[0]}` }, trust: 'model' },
        { type: 'tool_call', id: 'c2', name: 'web_fetch', input: { url: 'https://example.org/', notes: ALL }, trust: 'model' },
      ],
    },
  },
  {
    type: 'message',
    origin: 'tool',
    ms: 4_200,
    message: { role: 'tool', callId: 'c1', name: 'terminal', content: [createTextBlock(`1 failing\n${ALL}`, 'tool')], failed: true },
  },
  {
    type: 'message',
    origin: 'tool',
    ms: 310,
    message: {
      role: 'tool',
      callId: 'c2',
      name: 'web_fetch',
      content: [
        createTextBlock(
          `Fetched.\n${fenceTextWithKey('outside', KEY, { source: 'https://example.org/' }, ALL)}\n<outside key="00000000">\nnot ours\n</outside 00000000>`,
          'foreign',
        ),
      ],
      failed: false,
    },
  },
  {
    type: 'message',
    origin: 'model',
    message: {
      role: 'assistant',
      content: [
        {
          type: 'tool_call',
          id: 'c1',
          name: 'patch',
          input: { path: 'src/parse.ts', old_string: 'const a = 1;\nreturn a;', new_string: 'return parse(list.next);\n' },
          trust: 'model',
        },
      ],
    },
  },
  {
    type: 'message',
    origin: 'tool',
    ms: 12,
    details: {
      kind: 'diff',
      files: [
        {
          path: 'src/parse.ts',
          change: 'changed',
          added: 2,
          removed: 1,
          diff: `--- a/src/parse.ts\n+++ b/src/parse.ts\n@@ -1,3 +1,4 @@\n export function parse(list: List): Tree {\n-  return { list };\n+  // <script>window.ran = 16</script>\n+  return { list, inner: parse(list.next) };\n }\n`,
        },
      ],
    },
    message: { role: 'tool', callId: 'c1', name: 'patch', content: [createTextBlock('Changed src/parse.ts.', 'tool')], failed: false },
  },
  {
    type: 'model_change',
    origin: 'system',
    from: RUNTIME,
    to: { ...RUNTIME, model: 'claude-haiku-4.5 <b>' },
    cause: 'the provider is overloaded',
  },
  {
    type: 'message',
    origin: 'model',
    message: {
      role: 'assistant',
      content: [
        createTextBlock(
          '## Done\n\nThe parser now walks *nested* lists:\n\n```ts\nexport function parse(list: List): Tree {\n  return { list, inner: parse(list.next) }; // recursion\n}\n```\n\n| file | lines |\n|---|---|\n| `src/parse.ts` | 2 |\n\n1. All tests pass.\n2. See [the docs](https://example.org/docs?a=1&b=2).\n\n- [x] fixed\n- [ ] documented',
          'model',
        ),
      ],
    },
  },
  { type: 'outcome', origin: 'system', outcome: 'answered', exitReason: 'answered' },
  {
    type: 'message',
    origin: 'user',
    message: {
      role: 'user',
      content: [createTextBlock(ALL, 'owner'), { ...createTextBlock(ALL, 'foreign'), source: `a page ${ATTACKS[11] ?? ''}` }],
    },
  },
  {
    type: 'message',
    origin: 'model',
    message: { role: 'assistant', content: [{ type: 'thinking', text: ALL, trust: 'model' }, createTextBlock(ALL, 'model')] },
  },
  { type: 'outcome', origin: 'system', outcome: 'stopped', exitReason: 'interrupted', notice: 'You stopped this.' },
  { type: 'rewind', origin: 'user', toSeq: 10 },
  {
    type: 'compaction',
    origin: 'summary',
    fromSeq: 2,
    toSeq: 9,
    summary: { role: 'user', content: [createTextBlock(`Notes: ${ALL}`, 'model')] },
  },
  { type: 'message', origin: 'nudge', message: { role: 'user', content: [createTextBlock('Continue where you stopped.', 'tool')] } },
  { type: 'note', origin: 'system', text: ALL },
];

/** A log with everything a log can hold, and attacks wherever somebody else's words go. */
export const ENTRIES: readonly Entry[] = BODIES.map((body, index) => ({
  id: `e_${index + 1}`,
  sessionId: SESSION.id,
  seq: index + 1,
  turnId: index < 10 ? 't1' : 't2',
  at: SESSION.startedAt + index * 41_000,
  ...body,
}));

export const CALLS: readonly CallRecord[] = [1, 2].map((n) =>
  createCallRecord(SESSION.id, `m${n}`, {
    usage: { input: 800, output: 240, cacheRead: 9_200, cacheWrite: 400, reasoning: 40 },
    price: 0.0123,
  }),
);
