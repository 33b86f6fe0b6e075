import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isObject, readStringAt } from '../../../src/base/json.ts';
import { readHooks } from '../../../src/parts/hooks/hook-folder.ts';
import { trustHook } from '../../../src/parts/hooks/entries/trust.ts';
import { noPython } from '../../parts/tools/builtin/execute-code/stage.ts';
import { openScene, type GatewayScene } from './scene.ts';

/** The files of a hook. */
const hook = (name: string, events: readonly string[], handler: string, text: string): Readonly<Record<string, string>> => ({
  [`hooks/${name}/HOOK.yaml`]: `name: ${name}\ndescription: a test\nevents: ${JSON.stringify(events)}\n`,
  [`hooks/${name}/${handler}`]: text,
});
async function trust(scene: GatewayScene, name: string): Promise<void> {
  const found = readHooks(join(scene.root, 'hooks')).find((reading) => reading.ok && reading.hook.name === name);
  await trustHook(found?.ok === true ? found.hook : assert.fail(`no hook ${name}`), scene.host().store);
}
/** Lines a handler has written, as what they hold. */
function told(scene: GatewayScene): readonly (readonly [string, Readonly<Record<string, unknown>>])[] {
  const file = join(scene.root, 'told.jsonl');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return lines.map((line) => {
    const value: unknown = JSON.parse(line);
    const context = isObject(value) ? value['context'] : undefined;
    return isObject(context) ? [readStringAt(value, 'event') ?? '', context] : assert.fail(line);
  });
}
const namesIn = (scene: GatewayScene): readonly string[] => told(scene).map(([event]) => event);
const ALL = ['gateway:startup', 'session:*', 'agent:*', 'command:*'];
const WRITE = 'cat >> "$HERMES_HOME/told.jsonl"\n';

test('hooks are told of a start, a session, its turns, steps and commands, with the keys handlers know', async () => {
  await using scene = await openScene({
    script: [
      {
        calls: [
          { id: 'c1', name: 'todo', input: {} },
          { id: 'c2', name: 'todo', input: { merge: true } },
        ],
      },
      { text: 'Done.' },
    ],
    files: hook('all', ALL, 'handler.sh', WRITE),
  });
  await trust(scene, 'all');
  await scene.restart();
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'begin');
  await scene.until(() => namesIn(scene).includes('agent:end'));
  server.people.say(dm, ann, '/new');
  await scene.until(
    () => namesIn(scene).includes('session:end') && namesIn(scene).includes('session:reset') && namesIn(scene).includes('command:new'),
  );
  const sessionId = told(scene).find(([event]) => event === 'session:start')?.[1]['session_id'];
  const person = { platform: 'telegram', user_id: String(ann.id) };
  const key = { ...person, session_key: `agent:main:telegram:private:${dm.id}` };
  const turn = { ...person, session_id: sessionId, chat_id: String(dm.id), thread_id: null, chat_type: 'private', message: 'begin' };
  const model = { model: 'scripted', provider: 'scripted' };
  assert.deepEqual(Object.fromEntries(told(scene)), {
    'gateway:startup': { platforms: ['telegram'] },
    'session:start': { ...key, session_id: sessionId },
    'agent:start': turn,
    'agent:step': { ...person, session_id: sessionId, iteration: 1, tool_names: ['todo', 'todo'] },
    'agent:end': { ...turn, response: 'Done.', ...model },
    'session:end': { ...key, session_id: sessionId, reason: 'reset' },
    'session:reset': key,
    'command:new': { ...person, command: 'new', args: '' },
  });
});

test('the end of a turn names the message that its start named, also when another one joined the turn', async () => {
  const joined = Promise.withResolvers<void>();
  await using scene = await openScene({
    script: async (_request, index) => {
      if (index === 0) await joined.promise;
      return { text: index === 0 ? 'One.' : 'Both.' };
    },
    config: 'display:\n  busy_input_mode: steer\n',
    files: hook('all', ['agent:*'], 'handler.sh', WRITE),
  });
  await trust(scene, 'all');
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'begin');
  await scene.until(() => namesIn(scene).includes('agent:start'));
  server.people.say(dm, ann, 'and this');
  const { store } = scene.host();
  await scene.until(async () => (await store.gateway.arrivals({ states: ['admitted'] })).length === 2);
  joined.resolve();
  await scene.until(() => namesIn(scene).includes('agent:end'));
  assert.deepEqual(
    told(scene).map(([event, { message, response }]) => [event, message, response]),
    [
      ['agent:start', 'begin', undefined],
      ['agent:end', 'begin', 'Both.'],
    ],
  );
});

const APPEND = `import { appendFileSync } from 'node:fs';
const tell = (event, context) => appendFileSync(process.env.HERMES_HOME + '/told.jsonl', JSON.stringify({ event, context }) + '\\n');
`;
const TYPESCRIPT = `${APPEND.replace('(event, context)', '(event: string, context: object): void')}
export async function handle(event: string, { message }: { message: string }): Promise<void> {
  tell('ts ' + event, { message });
}
`;
const JAVASCRIPT = `${APPEND}
let all = '';
for await (const chunk of process.stdin) all += chunk;
tell('js ' + JSON.parse(all).event, { keys: Object.keys(process.env).filter((name) => /KEY|TOKEN/.test(name)) });
`;
const PYTHON = `import json, os
async def handle(event_type, context):
    with open(os.environ["HERMES_HOME"] + "/told.jsonl", "a") as file:
        file.write(json.dumps({"event": "py " + event_type, "context": {}}) + "\\n")
`;
const HANDLERS = {
  ...hook('a', ['agent:end'], 'handler.ts', TYPESCRIPT),
  ...hook('b', ['agent:end'], 'handler.mjs', JAVASCRIPT),
  ...hook('c', ['agent:end'], 'handler.sh', 'echo broken >&2\nexit 3\n'),
  ...hook('d', ['agent:end'], 'handler.py', PYTHON),
  ...hook('e', ['agent:finish'], 'handler.sh', WRITE),
  'hooks/f/README': 'no hook yet',
  ...hook('z', ['agent:end'], 'handler.sh', `echo '{"event":"sh","context":{}}' >> "$HERMES_HOME/told.jsonl"\n`),
};

test('handlers run in the order of their folders, in every language, and see no secret; what fails is logged and changes nothing', async () => {
  process.env['API_KEY_OF_A_TEST'] = 'sk-secret';
  await using scene = await openScene({ script: () => ({ text: 'Hello.' }), files: HANDLERS });
  for (const name of ['a', 'b', 'c', 'd', 'z']) await trust(scene, name);
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'hi');
  await scene.until(() => namesIn(scene).includes('sh'));
  assert.deepEqual(scene.said(), ['Hello.']);
  assert.deepEqual(told(scene), [
    ['ts agent:end', { message: 'hi' }],
    ['js agent:end', { keys: [] }],
    ...(noPython === false ? [['py agent:end', {}]] : []),
    ['sh', {}],
  ]);
  const lines = scene.log.filter((words) => /^hook [cef] /.test(words) && !words.includes('not trusted')).toSorted();
  assert.deepEqual(
    lines,
    [
      'hook c failed on agent:end: it ended with 3: broken',
      'hook e does not run: its HOOK.yaml names events that do not exist: agent:finish. There are gateway:startup, session:start, session:end, session:reset, agent:start, agent:step, agent:end, command:NAME.',
      'hook f does not run: it has no HOOK.yaml. Add one with name, description and events.',
    ].toSorted(),
  );
});

test('a hook that hangs delays no answer', async () => {
  await using scene = await openScene({
    script: () => ({ text: 'Hello.' }),
    files: hook('slow', ['agent:start'], 'handler.sh', 'echo $$ > "$HERMES_HOME/pid"\nsleep 3600\n'),
  });
  await trust(scene, 'slow');
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'hi');
  await scene.until(() => existsSync(join(scene.root, 'pid')) && readFileSync(join(scene.root, 'pid'), 'utf8') !== '');
  await scene.until(() => scene.said().length === 1);
  const pid = Number(readFileSync(join(scene.root, 'pid'), 'utf8'));
  await scene.restart();
  assert.throws(() => process.kill(pid, 0), 'it ended with its gateway');
});
