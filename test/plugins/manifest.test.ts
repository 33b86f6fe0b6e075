import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseManifest } from '../../src/plugins/manifest/parse-manifest.ts';

const HEAD = 'name: demo\nversion: 1.0.0\ndescription: A plugin\napi: 1\n';

test('everything a manifest can say is read, and what nobody knows is told', () => {
  const { manifest, warnings } = parseManifest(`${HEAD}entry: ./index.ts
capabilities: { network: [API.example.com, '*.example.org:8443'], exec: true, secrets: [DEMO_KEY], prompt: true, time_travel: true }
tools:
  - { name: look, description: Looks, input: { type: object }, effects: read, replay: safe, timeout: 5, colour: red }
  - { name: change }
hooks: [pre_tool_call, pre_tool_call, pre_llm_call]
commands: [{ name: hi, summary: Says hi, arguments: { who: { kind: text, description: whom, required: true } } }]
cli: [{ name: status, summary: Shows, options: { all: { kind: flag, description: all } }, owner_only: true }]
skills: skills/
slots: [{ name: tips, cap: 100 }]
memory_provider: demo_memory
providers: [{ id: demo, base_url: 'https://api.example.com/v1', key_envs: [DEMO_KEY] }]
settings: { city: { kind: string, default: Oslo, describe: Where }, most: { kind: integer, min: 1, max: 9, default: 3, describe: How many } }
future: thing
`);
  assert.deepEqual(manifest.capabilities, {
    network: ['api.example.com', '*.example.org:8443'],
    exec: true,
    secrets: ['DEMO_KEY'],
    prompt: true,
  });
  const { name, effects, replay, timeoutMs } = manifest.tools[0] ?? { name: '', effects: '', replay: '', timeoutMs: 0 };
  assert.deepEqual([name, effects, replay, timeoutMs], ['look', 'read', 'safe', 5_000]);
  assert.deepEqual([manifest.tools[1]?.effects, manifest.tools[1]?.replay], ['write', 'never'], 'who says nothing may change anything');
  assert.deepEqual(manifest.hooks, ['pre_tool_call', 'pre_llm_call']);
  assert.deepEqual([manifest.entry, manifest.skills, manifest.memoryProvider], ['index.ts', 'skills', 'demo_memory']);
  assert.deepEqual([manifest.cli[0]?.ownerOnly, manifest.slots[0]?.cap], [true, 100]);
  assert.deepEqual(manifest.settings['most'], { kind: 'integer', describe: 'How many', default: 3, min: 1, max: 9 });
  assert.deepEqual(
    warnings.map((words) => /has (\S+),/.exec(words)?.[1]),
    ['future', 'capabilities.time_travel', 'tools[0].colour'],
  );
});

test('a mistyped key is told with the one that was meant, and so is a secret that nothing keeps out of sight', () => {
  const { warnings } = parseManifest(`${HEAD}hook: [pre_tool_call]\ncapabilities: { secrets: [DEMO_KEY, DEMO_SIGNATURE] }\n`);
  assert.equal(warnings.length, 2);
  assert.match(warnings[0] ?? '', /has hook, which means nothing here\. Did you mean hooks\?$/);
  assert.match(warnings[1] ?? '', /names DEMO_SIGNATURE, which nobody takes for a secret/);
});

const REFUSED: Readonly<Record<string, readonly [text: string, why: RegExp]>> = {
  'no table': ['- one', /not a table/],
  'no api': ['name: demo\nversion: 1\ndescription: x', /api: 1/],
  'another api': [HEAD.replace('api: 1', 'api: 2'), /version 2 of the plugin contract/],
  'no version': ['name: demo\ndescription: x\napi: 1', /has no version/],
  'a name with a slash': [HEAD.replace('demo', 'a/b'), /lower case/],
  'a name in capitals': [HEAD.replace('demo', 'Demo'), /lower case/],
  'more than fits': [`${HEAD}x: ${'y'.repeat(300_000)}`, /larger than 256 kB/],
  'more than anybody nests': [`${HEAD}x: ${'['.repeat(60)}${']'.repeat(60)}`, /levels deep/],
  'values without end': [`${HEAD}x: [${'1,'.repeat(30_000)}1]`, /more than 20000 values/],
  'a bomb of aliases': [`${HEAD}a: &a [1,1,1]\nb: &b [*a,*a,*a]\nc: [*b,*b,*b]`, /alias/i],
  'more tools than fit': [`${HEAD}entry: i.js\ntools: [${'{name: t},'.repeat(65)}]`, /65 entries/],
  'a tool twice': [`${HEAD}entry: i.js\ntools: [{name: t}, {name: t}]`, /t twice/],
  'a tool with a schema that is none': [`${HEAD}entry: i.js\ntools: [{name: t, input: {type: string}}]`, /type: object/],
  'a hook nobody knows': [`${HEAD}entry: i.js\nhooks: [pre_tool_cal]`, /no hook pre_tool_cal; did you mean pre_tool_call\?/],
  'an entry outside': [`${HEAD}entry: ../index.js`, /inside of the plugin/],
  'an absolute entry': [`${HEAD}entry: /etc/passwd`, /inside of the plugin/],
  'an entry that is no script': [`${HEAD}entry: index.so`, /\.js/],
  'code without an entry': [`${HEAD}hooks: [pre_tool_call]`, /names no entry/],
  'words for the prompt without saying so': [`${HEAD}entry: i.js\nslots: [{name: tips}]`, /prompt: true/],
  'pre_llm_call without saying so': [`${HEAD}entry: i.js\nhooks: [pre_llm_call]`, /prompt: true/],
  'a host that is an address': [`${HEAD}capabilities: {network: ['https://x.example']}`, /no host/],
  'all hosts': [`${HEAD}capabilities: {network: ['*']}`, /no host/],
  'a whole top level': [`${HEAD}capabilities: {network: ['*.com']}`, /no host/],
  'a host that is this machine': [
    `${HEAD}entry: i.js\ncapabilities: {network: ['localhost:8080']}`,
    /localhost:8080, which is this machine/,
  ],
  'an address of this machine': [`${HEAD}entry: i.js\ncapabilities: {network: [127.0.0.1]}`, /127\.0\.0\.1, which is this machine/],
  'a secret of ours': [`${HEAD}capabilities: {secrets: [HERMES_HOME]}`, /no plugin gets/],
  'a secret that is a way in': [`${HEAD}capabilities: {secrets: [NODE_OPTIONS]}`, /no plugin gets/],
  'a key of a provider that is ours': [
    `${HEAD}providers: [{id: x, base_url: 'https://x.example', key_envs: [HERMES_HOME]}]`,
    /key_envs names HERMES_HOME, which no plugin gets/,
  ],
  'a description that draws': [HEAD.replace('A plugin', '"a\\e[2Jb"'), /control/],
  'YAML that ends too early': [`${HEAD}tools: [`, /^Error: plugin\.yaml cannot be read: Flow sequence [^\n]* at line \d+, column \d+$/],
  'a setting without choices': [`${HEAD}settings: {x: {kind: choice}}`, /no choices/],
  'a command of five words': [`${HEAD}entry: i.js\ncli: [{name: a b c d e, summary: s}]`, /more than 4 words/],
  'a command with a word that is none': [`${HEAD}entry: i.js\ncli: [{name: a B, summary: s}]`, /name is "B"/],
  'a slash command of two words': [`${HEAD}entry: i.js\ncommands: [{name: a b, summary: s}]`, /name is "a b"/],
  'a flag as an argument': [`${HEAD}entry: i.js\ncli: [{name: c, summary: s, arguments: {x: {kind: flag}}}]`, /only an option/],
};
for (const [story, [text, why]] of Object.entries(REFUSED))
  test(`a manifest is refused: ${story}`, () => assert.throws(() => parseManifest(text), why));

test('a tag that nobody knows is not told on the screen, where its line would be shown as it is', async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error): void => void warnings.push(warning);
  process.on('warning', listen);
  assert.throws(() => parseManifest('name: tagged\nversion: 1.0.0\napi: 1\ndescription: !!x/y "\u001b[2Jhermes: fine"\n'));
  await new Promise(setImmediate);
  process.off('warning', listen);
  assert.deepEqual(warnings, []);
});
