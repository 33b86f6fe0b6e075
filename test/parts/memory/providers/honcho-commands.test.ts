import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import type { JsonObject } from '../../../../src/base/json-types.ts';
import { createProviderHomeService } from '../../../../src/app/services/provider-homes.ts';
import { createRegistries, snapshotRegistries } from '../../../../src/app/tools/registries.ts';
import type { CommandContext, CommandValues } from '../../../../src/contracts/command.ts';
import { HONCHO_COMMANDS } from '../../../../src/parts/memory/providers/honcho/commands.ts';
import { openHonchoServer } from '../../../../src/testing/memory-servers/honcho.ts';
import { never } from './scene.ts';

const NAMES = ['setup', 'status', 'peers', 'sessions', 'map', 'peer', 'mode', 'tokens', 'identity', 'migrate', 'enable', 'disable', 'sync'];

/** Two profiles, as a person has them, and the commands run in the default one. */
function openPlace(file?: JsonObject) {
  const root = mkdtempSync(join(tmpdir(), 'honcho-'));
  const work = join(root, 'profiles', 'work');
  mkdirSync(join(root, 'memories'), { recursive: true });
  mkdirSync(work, { recursive: true });
  writeFileSync(join(root, 'config.yaml'), 'memory:\n  provider: honcho\n');
  writeFileSync(join(root, '.env'), 'HONCHO_API_KEY=k\n');
  writeFileSync(join(root, 'memories', 'MEMORY.md'), 'Tests run with npm test\n§\nDeploys happen on Friday\n');
  writeFileSync(join(root, 'memories', 'USER.md'), 'Lives in Bern\n');
  if (file !== undefined) writeFileSync(join(root, 'honcho.json'), JSON.stringify(file));
  const providerHomes = createProviderHomeService({
    processEnv: { HERMES_HOME: root },
    notice: () => undefined,
    registered: snapshotRegistries(createRegistries()),
  });
  const context: CommandContext = { place: 'shell', cwd: root, now: 0, signal: never, commands: () => [], report: () => undefined };
  const run = async (name: string, values: CommandValues = {}, more: Partial<CommandContext> = {}): Promise<string> => {
    const command = HONCHO_COMMANDS.find((each) => each.name === `honcho ${name}`);
    const defaults = name === 'map' ? { place: 'cli' } : {};
    return command?.describe?.(await command.run?.({ ...defaults, ...values }, { providerHomes }, { ...context, ...more })) ?? `no ${name}`;
  };
  const kept = (folder = root): unknown => JSON.parse(readFileSync(join(folder, 'honcho.json'), 'utf8'));
  return { root, work, run, kept };
}

it('has thirteen subcommands, each with --target-profile, a summary and examples; what changes something is for the owner', () => {
  assert.deepEqual(
    HONCHO_COMMANDS.map(({ name }) => name.replace('honcho ', '')),
    NAMES,
  );
  for (const { name, options, summary, examples, ownerOnly, describe } of HONCHO_COMMANDS) {
    assert.ok(options?.['targetProfile'] !== undefined && summary !== '' && examples.length > 0 && describe !== undefined, name);
    assert.equal(ownerOnly === undefined, ['honcho status', 'honcho peers', 'honcho sessions'].includes(name), name);
  }
});

it('sets up a profile by options or by questions, and keeps what it does not know', async () => {
  const { root, run, kept } = openPlace({ other: 1 });
  assert.match(
    await run('setup', { workspace: 'home', peer: 'ada', baseUrl: 'http://127.0.0.1:8000', mode: 'context' }),
    /Workspace: home\nYou: ada\nAgent: hermes\nMode: context/,
  );
  assert.deepEqual(kept(), {
    other: 1,
    workspace: 'home',
    peerName: 'ada',
    aiPeer: 'hermes',
    recallMode: 'context',
    baseUrl: 'http://127.0.0.1:8000',
  });
  assert.equal(statSync(join(root, 'honcho.json')).mode & 0o777, 0o600);
  const answers = ['', 'grace', ''];
  await run('setup', {}, { ask: async () => answers.shift() ?? '' });
  assert.deepEqual(kept(), {
    other: 1,
    workspace: 'home',
    peerName: 'grace',
    aiPeer: 'hermes',
    recallMode: 'context',
    baseUrl: 'http://127.0.0.1:8000',
  });
  await assert.rejects(run('setup', { peer: 'ada lovelace' }), /cannot be a name there/);
  await assert.rejects(run('setup', { baseUrl: 'somewhere' }), /is not an address/);
});

it('changes another profile when it is named, and says so when there is none of that name', async () => {
  const { root, work, run, kept } = openPlace();
  assert.match(await run('mode', { mode: 'tools', targetProfile: 'work' }), /^Profile work: the mode is tools\./);
  assert.deepEqual(kept(work), { recallMode: 'tools' });
  assert.match(await run('mode'), /^Profile default: the mode is hybrid\./);
  assert.throws(() => statSync(join(root, 'honcho.json')), /ENOENT/, 'looking changes nothing');
  await assert.rejects(run('mode', { targetProfile: 'wrok' }), /there is no profile wrok\. Did you mean work\?/);
  assert.match(
    await run('peer', { user: 'ada', reasoning: 'high', targetProfile: 'work' }),
    /^Profile work: you are ada, the agent is hermes, reasoning is high\.$/,
  );
  assert.match(await run('tokens', { context: 900 }), /at most 900 tokens beside a message, 1200 characters/);
  await assert.rejects(run('tokens', { context: 0 }), /hermes honcho mode tools/);
  assert.match(await run('disable', { targetProfile: 'work' }), /Profile work: Honcho is off/);
  assert.match(
    await run('peers'),
    /^default: you are owner, the agent is hermes, in hermes\nwork: you are ada, the agent is hermes, in hermes \(not in use\)$/,
  );
  assert.match(await run('enable', { targetProfile: 'work' }), /Honcho is on/);
  assert.match(await run('sync'), /^work: workspace, your name and the mode are now those of default\.$/);
  assert.deepEqual(kept(work), {
    recallMode: 'hybrid',
    peerName: 'owner',
    dialecticReasoningLevel: 'high',
    enabled: true,
    workspace: 'hermes',
    aiPeer: 'hermes-work',
  });
});

it('maps places to sessions and ends that again', async () => {
  const { run, kept } = openPlace({ hosts: { hermes: { workspace: 'block' } }, workspace: 'root' });
  assert.match(await run('sessions'), /No place is mapped/);
  assert.match(await run('map', { name: 'desk' }), /Sessions of cli go on as desk/);
  await run('map', { name: 'family', place: 'telegram:5' });
  assert.equal(await run('sessions'), 'cli: desk\ntelegram:5: family');
  await run('map', { remove: true });
  assert.deepEqual(
    kept(),
    { hosts: { hermes: { workspace: 'block', sessions: { 'telegram:5': 'family' } } }, workspace: 'root' },
    'the block of the host is what counts',
  );
  await assert.rejects(run('map', {}), /give a name .* or --remove/);
  await assert.rejects(run('map', { name: 'a b' }), /cannot be the name of a session/);
});

it('says whether Honcho answers, copies the built-in memory once and sets the card of the agent', async () => {
  await using server = await openHonchoServer('k');
  const { root, run } = openPlace({ baseUrl: server.url });
  assert.match(await run('status'), /Server: 127\.0\.0\.1:\d+\nConnected\.$/);
  server.faults.push({ status: 503 });
  assert.match(await run('status'), /Not connected: Honcho at .* answered 503/);
  assert.match(await run('status', { targetProfile: 'work' }), /Not connected: Honcho needs a key/);
  assert.equal(await run('migrate'), '3 entries are in Honcho.');
  assert.equal(await run('migrate'), '3 entries are in Honcho.');
  const { conclusions = [], peers } = server.workspaces.get('hermes') ?? {};
  assert.deepEqual(conclusions.map(({ content }) => content).toSorted(), [
    'Deploys happen on Friday',
    'Lives in Bern',
    'Tests run with npm test',
  ]);
  assert.equal(await run('identity'), 'Honcho knows nothing of hermes yet.');
  writeFileSync(join(root, 'SOUL.md'), '# Who you are\n\n- calm\n- exact\n');
  assert.equal(await run('identity', { file: 'SOUL.md' }), 'hermes:\n  Who you are\n  calm\n  exact');
  assert.deepEqual(peers?.get('hermes')?.card, ['Who you are', 'calm', 'exact']);
  await assert.rejects(run('identity', { file: 'none.md' }), /none\.md cannot be read/);
});

it('writes nothing to a file it cannot understand', async () => {
  const { root, run } = openPlace();
  writeFileSync(join(root, 'honcho.json'), '{"a":');
  await assert.rejects(run('mode', { mode: 'tools' }), /is not a JSON object\. Correct it or remove it\. Nothing was written\./);
  await assert.rejects(run('status'), /is not a JSON object/);
  assert.equal(readFileSync(join(root, 'honcho.json'), 'utf8'), '{"a":');
});
