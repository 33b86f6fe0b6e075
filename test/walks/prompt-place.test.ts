import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWireServer, type WireServer } from '../../src/testing/wire-server/index.ts';
import { hermes, tempHome, toServer } from './hermes.ts';

interface Place {
  readonly home: string;
  readonly cwd: string;
}
function place(config: object = {}): Place {
  const root = tempHome();
  const [home, cwd] = [join(root, 'home'), join(root, 'work')];
  for (const folder of [home, cwd]) mkdirSync(folder);
  writeFileSync(join(home, 'config.yaml'), JSON.stringify(config));
  return { home, cwd };
}

interface Sent {
  readonly tools?: readonly unknown[];
  readonly system?: readonly { readonly text: string; readonly cache_control?: unknown }[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}
const bodies = (server: WireServer): readonly Sent[] => server.requests.map(({ body }) => body as Sent);
const systemOf = (sent: Sent | undefined): string => String(sent?.messages[0]?.content);

const BACK_ENDS: readonly { readonly terminal: object; readonly says: readonly RegExp[] }[] = [
  { terminal: { backend: 'local' }, says: [/run on this machine \(\w+\)\.$/m, /Working directory: .*\/work$/m, /Network: yes/] },
  {
    terminal: { backend: 'sandbox' },
    says: [
      /run in a sandbox on this machine/,
      /Working directory: .*\/work$/m,
      /Network: package registries and project remotes; other hosts are asked about/,
      /Writable: the working directory, (?:a private \/tmp|the private folder \$TMPDIR \(not \/tmp\)); the rest is read-only\.$/m,
    ],
  },
  { terminal: { backend: 'sandbox', sandbox_network: true }, says: [/Network: yes/] },
  {
    terminal: { backend: 'docker', docker_image: 'alpine:3.22', docker_network: false },
    says: [/container \(image alpine:3\.22\)\. Files on the host are not visible/, /Working directory: \/root$/m, /Network: none/],
  },
  {
    terminal: { backend: 'docker', docker_mount_cwd_to_workspace: true },
    says: [/Working directory: \/workspace \(\/workspace is the host folder .*\/work\)/, /Network: yes/],
  },
  {
    terminal: { backend: 'ssh', ssh_host: 'build.example', ssh_user: 'ann' },
    says: [
      /run on the host ann@build\.example, reached over SSH\. Files on this machine are not visible/,
      /or the home folder, if that folder does not exist there/,
      /Writable: whatever ann can write/,
    ],
  },
  { terminal: { backend: 'modal', modal_image: 'debian:13' }, says: [/in a Modal cloud sandbox \(image debian:13\)/, /Network: yes/] },
  { terminal: { backend: 'daytona', daytona_image: 'debian:13' }, says: [/in a Daytona cloud sandbox \(image debian:13\)/] },
];
for (const { terminal, says } of BACK_ENDS)
  test(`the model is told where it is: ${JSON.stringify(terminal)}`, async () => {
    const { out, err, code } = await hermes(['prompt', '--json'], place({ terminal }));
    assert.equal(code, 0, err);
    const { slots } = JSON.parse(out) as { readonly slots: readonly { readonly name: string; readonly text: string }[] };
    const said = slots.find(({ name }) => name === 'environment')?.text ?? '';
    for (const words of says) assert.match(said, words);
  });

test('rules of this machine are told where commands see their folder, and nowhere else', async () => {
  const slotsWith = async (terminal: object) => {
    const there = place({ terminal });
    writeFileSync(join(there.cwd, 'AGENTS.md'), 'Use tabs.\n');
    const { out, err } = await hermes(['prompt', '--json'], there);
    const { slots } = JSON.parse(out) as { readonly slots: readonly { readonly name: string; readonly text: string }[] };
    return { rules: slots.find(({ name }) => name === 'project-context')?.text ?? '', err };
  };
  for (const backend of ['docker', 'singularity', 'ssh', 'modal', 'daytona']) {
    const { rules, err } = await slotsWith({ backend, ssh_host: 'build.example' });
    assert.equal(rules, '# Project rules\n\nIf the working directory has an AGENTS.md, read it before you work there and follow it.');
    assert.match(err, /work\/AGENTS\.md are not part of the prompt: commands of this session run where that folder is not visible/);
  }
  for (const terminal of [
    { backend: 'local' },
    { backend: 'sandbox' },
    { backend: 'docker', docker_mount_cwd_to_workspace: true },
    { backend: 'singularity', docker_mount_cwd_to_workspace: true },
  ]) {
    const { rules, err } = await slotsWith(terminal);
    assert.ok(rules.includes('Use tabs.') && !err.includes('not visible'), `${JSON.stringify(terminal)} ${rules} ${err}`);
  }
});

test('with -t none the prompt claims no tools, no folder and no skills', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'ok' }) });
  await hermes(['chat', '-q', 'hi', '-t', 'none', ...toServer(server.url)], place());
  const [sent] = bodies(server);
  assert.equal(sent?.tools, undefined);
  assert.match(systemOf(sent), /You have no tools in this session/);
  assert.doesNotMatch(systemOf(sent).replace('You have no tools', ''), /\btools?\b|skill_view|Working directory|Session key/i);
});

test('a child has a role line and the default identity, and knows that its last message is the report', async () => {
  const there = place();
  writeFileSync(join(there.home, 'SOUL.md'), 'You are Beppo.\n');
  const hand = { calls: [{ name: 'delegate_task', arguments: { goal: 'count the files' } }] };
  await using server = await startWireServer({ replies: [hand, { text: 'There are none.' }, { text: 'done' }] });
  await hermes(['chat', '-q', 'go', ...toServer(server.url)], there);
  const [own, child, again] = bodies(server).map(systemOf);
  for (const words of [own, again]) assert.ok(words?.startsWith('You are Beppo.\n\n') && !words.includes('sub-agent'));
  assert.ok(child !== undefined && child.startsWith('You are Hermes Agent,') && !child.includes('Beppo'));
  assert.match(child, /sub-agent.*\n.*Nobody can answer.*\nYour last message is the report/);
});

test('a new session reads the old one’s tools and prompt from the cache: the first block is the same, the mark is on it', async () => {
  const there = place();
  const save = { calls: [{ name: 'memory', arguments: { target: 'memory', action: 'add', content: 'Builds need make 4.' } }] };
  await using server = await startWireServer({ replies: [save, { text: 'saved' }, { text: 'ok' }] });
  const ask = (words: string, cwd: string) =>
    hermes(['chat', '-q', words, ...toServer(server.url, 'anthropic_messages')], { ...there, cwd });
  await ask('keep this', there.cwd);
  const other = join(there.cwd, 'elsewhere');
  mkdirSync(other);
  await ask('hello', other);
  const [first, , next] = bodies(server);
  assert.deepEqual(next?.tools, first?.tools);
  assert.equal(next?.system?.length, 2);
  assert.deepEqual(next?.system?.[0], first?.system?.[0], 'neither the memory that was saved nor another folder changes the first block');
  assert.deepEqual(
    next?.system?.map((block) => 'cache_control' in block),
    [true, false],
  );
  for (const volatile of [/Session \w+/, /Working directory: .*elsewhere/, /Builds need make 4/]) {
    assert.match(next?.system?.[1]?.text ?? '', volatile);
    assert.doesNotMatch(next?.system?.[0]?.text ?? '', volatile);
  }
});

test('guidance and skill conditions go by what can be called: deferred tools and included toolsets count', async () => {
  const there = place();
  const skill = (name: string, needs: string) => {
    const folder = join(there.home, 'skills', 'own', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'SKILL.md'),
      `---\nname: ${name}\ndescription: About ${name}\nmetadata:\n  hermes:\n    ${needs}\n---\nbody\n`,
    );
  };
  skill('sees', 'requires_tools: [vision_analyze]');
  skill('files', 'requires_toolsets: [file]');
  skill('speaks', 'requires_toolsets: [tts]');
  skill('instead-of-files', 'fallback_for_toolsets: [file]');
  await using server = await startWireServer({ answer: () => ({ text: 'ok' }) });
  await hermes(['chat', '-q', 'hi', ...toServer(server.url)], { ...there, env: { HERMES_TOOLS_TOOL_SEARCH_ENABLED: 'on' } });
  const system = systemOf(bodies(server)[0]);
  for (const shown of ['sees: About', 'files: About']) assert.ok(system.includes(`- ${shown}`), shown);
  assert.ok(!system.includes('speaks: About') && !system.includes('instead-of-files'), 'what cannot be called is not there');
  for (const tool of ['memory', 'session_search', 'skill_manage']) assert.ok(system.includes(tool), tool);
});

test('a command that never began brings nothing from outside: our own words are not marked, and memory can be written after it', async () => {
  const there = place({ terminal: { backend: 'docker' } });
  const fetch = { calls: [{ name: 'terminal', arguments: { command: 'wget https://site.example/page.html' } }] };
  const save = { calls: [{ name: 'memory', arguments: { target: 'memory', action: 'add', content: 'Docker is not installed.' } }] };
  await using server = await startWireServer({ replies: [fetch, save, { text: 'done' }] });
  await hermes(['chat', '-q', 'fetch it', ...toServer(server.url)], { ...there, env: { PATH: '/nowhere' } });
  const [, , last] = bodies(server);
  const results = JSON.stringify(last?.messages.filter(({ role }) => role === 'tool'));
  assert.match(results, /Not run: the terminal could not be opened/);
  assert.doesNotMatch(results, /<outside|consent/);
  assert.match(results, /Added: Docker is not installed/);
});

test('a toolset of which nothing can be used gives a session without tools, and the owner is told why', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'ok' }) });
  const { err, code } = await hermes(['chat', '-q', 'hi', '-t', 'search', ...toServer(server.url)], place());
  assert.equal(code, 0);
  assert.match(err, /This session has no tools: .*web_search needs /);
  const [sent] = bodies(server);
  assert.equal(sent?.tools, undefined);
  assert.match(systemOf(sent), /You have no tools in this session/);
});

for (const toolsets of ['web', 'memory', 'todo', 'vision', 'delegation'])
  test(`with -t ${toolsets} no command, file or folder is spoken of`, async () => {
    const { out, err, code } = await hermes(['prompt', '--json', '-t', toolsets], place());
    assert.equal(code, 0, err);
    assert.doesNotMatch((JSON.parse(out) as { readonly text: string }).text, /file tools|Commands|Working directory|open files/);
  });
