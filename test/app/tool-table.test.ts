import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FIRST_REQUEST_BYTES, previewSession, PLACEHOLDER_RUNTIME } from '../../src/app/host/preview.ts';
import { loadConfig } from '../../src/app/config/config.ts';
import { createRegistries, snapshotRegistries } from '../../src/app/tools/registries.ts';
import { resolveHome } from '../../src/base/home.ts';
import type { ToolRegistration } from '../../src/contracts/registries.ts';
import type { AnyTool } from '../../src/contracts/tool.ts';
import type { ProtocolId } from '../../src/contracts/runtime.ts';

const root = mkdtempSync(join(tmpdir(), 'hermes-table-'));
after(() => rmSync(root, { recursive: true, force: true }));
// Of all places the sandbox takes the most words.
writeFileSync(join(root, 'config.yaml'), 'terminal: {backend: sandbox}\n');
const home = resolveHome({ HERMES_HOME: root });

/** A host on which every tool of ours has what it needs. */
function everythingOn() {
  const registered = snapshotRegistries(createRegistries());
  const ready = (entry: ToolRegistration): ToolRegistration => ({
    ...entry,
    open: (session) => {
      const tool = entry.open(session);
      return tool === undefined ? undefined : ({ ...tool, available: () => true } satisfies AnyTool);
    },
  });
  return { ...registered, tools: new Map([...registered.tools].map(([name, entry]) => [name, ready(entry)])) };
}
async function firstRequest(model: string, protocol: ProtocolId) {
  const registered = everythingOn();
  const config = await loadConfig(home.config, {}, () => undefined, registered);
  const runtime = { ...PLACEHOLDER_RUNTIME, model, protocol };
  return previewSession({
    home,
    env: {},
    config,
    notice: () => undefined,
    registered,
    cwd: '/home/user/project',
    contextFiles: true,
    runtime,
  });
}

test('these stand in the table whatever else there is; the others are pointed to with one line on when to use them', async () => {
  const { request } = await firstRequest('gpt-5.2', 'openai-chat');
  const names = request.tools.map(({ name }) => name);
  for (const name of ['session_search', 'skill_manage', 'execute_code', 'delegate_task', 'web_search', 'web_extract', 'clarify', 'memory'])
    assert.ok(names.includes(name), name);
  const more = request.tools.find(({ name }) => name === 'tool_search')?.description ?? '';
  for (const line of [
    /^browser_\* \(navigate, .*clicks/m,
    /^vision_analyze\(.*: look at/m,
    /^image_generate\(.*: create/m,
    /^text_to_speech\(.*: /m,
  ])
    assert.match(more, line);
  assert.match(more, /Call them directly by name/);
});

/** Room for a long folder, a session's id and the names of provider and model, which are short here. */
const NAMES = 120;

for (const [model, protocol] of [
  ['gpt-5.2', 'openai-chat'],
  ['gpt-5.2', 'openai-responses'],
  ['gemini-3-pro', 'openai-chat'],
  ['claude-sonnet-5', 'anthropic-messages'],
] as const)
  test(`the first request is within its bound with everything on, in a sandbox, on a terminal: ${model} over ${protocol}`, async (context) => {
    const { bytes, request } = await firstRequest(model, protocol);
    const asks = JSON.stringify(request.tools.find(({ name }) => name === 'clarify')?.input);
    assert.match(asks, /"secret"/, 'the session can also ask for secrets');
    assert.match(request.system, /in a sandbox on this machine/);
    context.diagnostic(`${bytes} bytes`);
    assert.ok(bytes <= FIRST_REQUEST_BYTES - NAMES, `${bytes} bytes`);
  });
