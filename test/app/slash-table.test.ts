import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUsageError } from '../../src/base/errors.ts';
import type { CommandLineResult } from '../../src/contracts/host.ts';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { OMITTED } from '../../scripts/slash-page.ts';
import { slashStage } from './slash-stage.ts';

/** A line as it is typed, and what comes of it: words, a step for the face, or words that say what is wrong. */
type Row = readonly [line: string | ((ids: Ids) => string), expected: RegExp | { readonly step: string } | { readonly fails: RegExp }];
interface Ids {
  readonly process: string;
  readonly session: string;
}

/** In this order, in one session that had two turns. Every command has at least one row. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  status: [['/status', /^Session \S+ “[^”]+”\nModel: first of custom\nFolder: .*\nSo far: \d+ messages/]],
  context: [['/ctx', /^first: about [\d,]+ of 200,000 tokens/]],
  history: [['/history 1', /^Hermes: started$/]],
  agents: [['/tasks', /process proc_\S+ {2}sleep 600 \(running\)/]],
  processes: [['/processes', /proc_\S+ .*sleep 600/]],
  'processes show': [[({ process }) => `/processes show ${process}`, /sleep 600/]],
  'processes keep': [[({ process }) => `/processes keep ${process}`, /goes on when its session is closed/]],
  'processes kill': [[({ process }) => `/processes kill ${process}`, /proc_/]],
  diff: [
    ['/diff session', /^\+hello$/m],
    ['/diff', { fails: /not a git repository\. .*\/diff session/ }],
  ],
  'rollback list': [['/rollback list', /^1\. a\.txt/]],
  'rollback diff': [['/rollback diff 1', /^-hello$/m]],
  rollback: [['/rollback 1', /a\.txt/]],
  title: [['/title the release', /is now “the release”/]],
  model: [
    ['/model', /^The model is first of custom\.$/],
    ['/model othr', { fails: /has no model othr\. Did you mean other\?/ }],
    ['/model other', /^From the next turn on the model is other of custom\.$/],
  ],
  personality: [['/personality concise', /^From the next message on: concise\.$/]],
  yolo: [
    ['/yolo on', /no longer asks/],
    ['/yolo off', /asks before/],
  ],
  btw: [['/btw what was that?', /^beside$/]],
  bg: [['/bg look around', /^Started in session /]],
  compress: [['/compress', /./]],
  'reload-skills': [['/reload-skills', /new system prompt/]],
  'reload-mcp': [['/reload-mcp', /no MCP servers/]],
  save: [['/save talk.html', /^Saved to .*talk\.html\.$/]],
  usage: [['/usage', /calls?, \d+ tokens in/]],
  insights: [['/insights', /^Insights: the last 30 days/]],
  sessions: [['/sessions', /the release \(\d+ messages\)/]],
  memory: [['/memory', /^memory \(0 of/]],
  'memory add': [['/memory add user Drinks tea', /Drinks tea/]],
  'memory remove': [['/memory remove user tea', /removed: Drinks tea/]],
  'memory status': [['/memory status', /^No external memory is in use\. To choose one: hermes memory setup/]],
  'cron add': [
    ['/cron add every 2h look around', /^Job [0-9a-f]{12}: look around\nSchedule: every 2 hours\nNext run: /],
    ['/cron add soon x', { fails: /"soon" is no schedule/ }],
  ],
  cron: [['/cron', /^[0-9a-f]{12} {2}look around: every 2 hours; next: \w{3} \d{4}-/]],
  'cron edit': [['/cron edit look around --name=watch', /^Job [0-9a-f]{12}: watch\n/]],
  'cron pause': [['/cron pause watch', /^Paused [0-9a-f]{12} \(watch\)/]],
  'cron resume': [['/cron resume watch', /^Job [0-9a-f]{12}: watch\n/]],
  'cron run': [['/cron run watch', /was asked for\. No process runs jobs now/]],
  'cron history': [['/cron history', /watch \([0-9a-f]{12}\) {2}waiting$/]],
  'cron status': [['/cron status', /^No process runs jobs now.*\nJobs: 1 scheduled, 0 paused/]],
  'cron remove': [['/cron remove watch --yes', /^Removed [0-9a-f]{12} \(watch\)\.$/]],
  skills: [['/skills', /^\/systematic-debugging: /m]],
  'skills view': [['/skills view systematic-debugging', /^\s*# Systematic debugging/]],
  mcp: [['/mcp', /No MCP servers/]],
  tools: [['/tools', /^write_file: /m]],
  'tools disable': [['/tools disable todo', /^Disabled: todo\./]],
  'tools enable': [['/tools enable todo', /^No tool is disabled\./]],
  toolsets: [['/toolsets', /^file: Read, write, patch and search files/m]],
  approvals: [['/approvals', /No pending questions/]],
  'approvals show': [['/approvals show 3f2a', { fails: /3f2a/ }]],
  'approvals allow': [['/approvals allow 3f2a', { fails: /3f2a/ }]],
  'approvals deny': [['/approvals deny 3f2a', { fails: /3f2a/ }]],
  'approvals mode': [['/approvals mode', /Risky commands: manual/]],
  trust: [['/trust', /^Trusted: \/.*\nIts tests, builds and scripts run without asking/]],
  'trust list': [['/trust list', /^\//]],
  'trust remove': [['/trust remove .', /^No longer trusted: \//]],
  pairing: [['/pairing', /^Nobody is paired, and nobody is waiting for your approval\.$/]],
  'pairing approve': [['/pairing approve telegram ABCD2345', { fails: /no pending request on telegram has this code/ }]],
  'pairing revoke': [['/pairing revoke telegram 7', { fails: /7 is not paired on telegram/ }]],
  pair: [['/pair telegram', /^Pairing code: [A-HJ-NP-Z2-9]{8}\. Give it to the person/]],
  config: [['/config checkpoints.enabled', /true/]],
  'config set': [['/config set agent.max_turns 40', /agent\.max_turns/]],
  'config unset': [['/config unset agent.max_turns', /agent\.max_turns/]],
  'config explain': [['/config explain agent.max_turns', /^agent\.max_turns: /]],
  profile: [['/profile', /^Profile default/]],
  help: [
    ['/help', /^Conversation\n/],
    ['/help compress', /^\/compress \[topic\]/],
  ],
  version: [['/version', /^hermes /]],
  whoami: [['/whoami', /^You are the owner/]],
  debug: [['/debug', /Session \S+: other of custom/]],
  stop: [['/stop', /No turn is running/]],
  steer: [['/steer also this', { step: 'resume' }]],
  queue: [['/q and that', { step: 'resume' }]],
  init: [['/init', { step: 'send' }]],
  compose: [['/compose', { step: 'compose' }]],
  copy: [['/copy', { step: 'copy' }]],
  paste: [['/paste', { step: 'attach' }]],
  image: [['/image shot.png', { step: 'attach' }]],
  verbose: [['/verbose', { step: 'display' }]],
  busy: [['/busy queue', { step: 'display' }]],
  statusbar: [['/sb', { step: 'display' }]],
  timestamps: [['/timestamps', { step: 'display' }]],
  reasoning: [['/reasoning show', { step: 'display' }]],
  skin: [['/theme dark', { step: 'display' }]],
  redraw: [['/redraw', { step: 'redraw' }]],
  retry: [['/retry', { step: 'send' }]],
  undo: [['/undo', { step: 'edit' }]],
  branch: [['/fork another way', { step: 'open' }]],
  resume: [[({ session }) => `/switch ${session}`, { step: 'open' }]],
  quit: [['/exit', { step: 'leave' }]],
  clear: [['/clear', { step: 'new' }]],
  new: [['/reset', { step: 'new' }]],
};

test('every command of the terminal has a row here, and every row runs on a real host as it says', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'beside' }), models: ['scripted', 'other'] });
  server.script(
    { calls: [{ name: 'write_file', arguments: { path: 'a.txt', content: 'hello\n' } }] },
    { text: 'written' },
    { calls: [{ name: 'terminal', arguments: { command: 'sleep 600', background: true } }] },
    { text: 'started' },
  );
  await using the = await slashStage([], 'checkpoints:\n  enabled: true\nterminal:\n  backend: local\nmodel:\n  context_length: 200000\n', {
    allowAll: 'test',
    model: { baseUrl: `${server.url}/v1`, provider: 'custom', model: 'first', apiMode: 'chat_completions' },
  });
  await the.say('write a file');
  await the.say('start a server');
  const listed = (await the.host.commands.list('terminal')).map(({ name }) => name);
  assert.deepEqual(listed.toSorted(), Object.keys(ROWS).toSorted());
  const [, process = ''] = /(proc_\S+)/.exec((await the.done('/processes')).text) ?? [];
  const ids = { process, session: the.session.session.id };
  for (const [name, rows] of Object.entries(ROWS))
    for (const [typed, expected] of rows) {
      const line = typeof typed === 'string' ? typed : typed(ids);
      assertOutcome(name, line, await attempt(the.type(line)), expected);
    }
});

const attempt = async (running: Promise<CommandLineResult>): Promise<CommandLineResult | string> =>
  running.catch((error: unknown) => (isUsageError(error) ? error.message : assert.fail(String(error))));

function assertOutcome(name: string, line: string, outcome: CommandLineResult | string, expected: Row[1]): void {
  if (typeof outcome === 'string')
    return assert.match(outcome, 'fails' in expected ? expected.fails : /^$/, `${line} was refused: ${outcome}`);
  assert.ok(outcome.type === 'done', `${line}: ${JSON.stringify(outcome)}`);
  assert.ok(name === (outcome.command.slash?.[0] ?? outcome.command.name), `${line} ran ${outcome.command.name}`);
  if (expected instanceof RegExp) assert.match(outcome.text, expected, line);
  else assert.equal(outcome.followUp?.type, 'step' in expected ? expected.step : undefined, line);
}

/** Every name that the Python system has, with its aliases. */
const KNOWN = `new reset clear history save prompt compose retry undo title compress rollback diff snapshot snap stop queue q steer goal
  subgoal heartbeat hb loop refine review moa resume sessions switch redraw status context ctx agents tasks bg btw branch fork worktree
  handoff journey config model codex-runtime personality verbose focus fast reasoning skin export import statusbar sb battery voice yolo
  approvals footer busy indicator timestamps wake tools toolsets browser skills memory bundles learn plan init cron suggestions blueprint
  curator kanban reload-mcp reload-skills reload plugins pet hatch help palette version whoami usage topup subscription insights platforms
  paste copy image debug update profile quit exit start sethome topic approve deny restart`.split(/\s+/);

test('every name of the Python system is a command, or listed as left out with a reason, and none is both', async () => {
  await using the = await slashStage([]);
  const there = (await the.host.commands.list('terminal')).flatMap(({ name, aliases }) => [name, ...aliases.map((one) => one.slice(1))]);
  assert.deepEqual(
    Object.values(OMITTED)
      .flat()
      .filter((name) => there.includes(name)),
    [],
  );
  const known = new Set([...there, ...Object.values(OMITTED).flat()]);
  assert.deepEqual(
    KNOWN.filter((name) => !known.has(name)),
    [],
  );
});

test('a command that makes sense before the first message begins the session, once, and others say what to do', async () => {
  await using the = await slashStage([]);
  let begun = 0;
  const begin = async () => {
    begun += 1;
    return the.session;
  };
  const before = (line: string) => the.host.commands.run(line, { place: 'terminal', begin });
  const { text } = await before('/model other').then((outcome) => (outcome.type === 'done' ? outcome : assert.fail(outcome.type)));
  assert.match(text, /^From the next turn on the model is other/);
  assert.equal(the.session.runtime.model, 'other', 'it is the session that was begun');
  for (const line of ['/personality concise', '/title a title', '/status', '/context', '/agents'])
    assert.equal((await before(line)).type, 'done', line);
  assert.equal(begun, 6);
  for (const line of ['/undo', '/history', '/copy', '/btw what?', '/compress', '/branch'])
    await assert.rejects(before(line), /no session|nothing to compress/, line);
  assert.equal(begun, 6, 'what is refused begins nothing');
  await assert.rejects(
    the.host.commands.run('/model other', { place: 'terminal' }),
    /there is no session yet/,
    'a face that cannot begin one',
  );
});
