import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, parseJson } from '../../../../src/base/json.ts';
import { startWireServer, type RecordedRequest, type Reply } from '../../../../src/testing/wire-server/index.ts';
import { eventually, findProcesses, openRunPlace, toText, writeEnvironment } from './program.ts';

export interface IsolationResult {
  readonly rollouts: number;
  /** Most rollouts that had planted their things and not looked around yet. */
  readonly together: number;
  readonly faults: readonly string[];
}

const PORT = 5_599;
const command = (line: string): Reply => ({ calls: [{ name: 'terminal', arguments: { command: line } }] });
/** A file in its folder and one in /tmp, a process, a variable, and a server on the same port in all of them. */
const plant = (mark: string): string =>
  [
    `echo ${mark} > planted.txt; echo ${mark} > /tmp/planted.txt; export PLANTED=${mark}`,
    `(exec -a ${mark} sleep 300) > /dev/null 2>&1 &`,
    `perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => ${PORT}, Listen => 8) or die "no port"; print STDERR "bound\\n"; while ($c = $s->accept) { print $c "${mark}\\n"; close $c }' > /dev/null 2> port.txt &`,
    `for i in $(seq 100); do grep -q . port.txt && break; sleep 0.05; done; cat port.txt`,
  ].join('\n');
/** Everything of anybody's that can be seen. */
const LOOK = [
  'echo FILES; cat planted.txt /tmp/planted.txt; ls -a . .. /tmp 2> /dev/null',
  'echo VARIABLES; env | grep PLANTED',
  "echo PROCESSES; for f in /proc/[0-9]*/cmdline; do tr '\\0' ' ' < $f 2> /dev/null; echo; done | grep planted-",
  `echo PORT; perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => ${PORT}) or die; print <$s>'`,
].join('\n');

/**
 * So many rollouts at once: all plant, and only when the last has planted do they look around. With `isKilled` the program is
 * killed at that moment, and what is left of the sandboxes is counted; then one more run does everything again.
 */
export async function runIsolation(rollouts: number, isKilled: boolean): Promise<IsolationResult> {
  using place = openRunPlace();
  const token = `planted-${process.pid}-${rollouts}-${isKilled ? 'k' : 'w'}`;
  const markOf = (task: string): string => `${token}-${task}-end`;
  const environment = join(place.root, 'ordeal.mjs');
  writeEnvironment(environment, rollouts);
  const gate = { waiting: 0, most: 0, open: Promise.withResolvers<void>(), isHeld: false };
  const answer = async ({ text }: RecordedRequest): Promise<Reply> => {
    const task = /<(task-\d+)>/.exec(text)?.[1] ?? '';
    const results = text.split('"role":"tool"').length - 1;
    if (results === 0) return command(plant(markOf(task)));
    if (results > 1) return { text: 'Done.' };
    gate.waiting++;
    gate.most = Math.max(gate.most, gate.waiting);
    if (gate.waiting === rollouts && !gate.isHeld) gate.open.resolve();
    await gate.open.promise;
    return command(LOOK);
  };
  await using model = await startWireServer({ answer });
  const args = [
    'env',
    'evaluate',
    environment,
    '--out',
    place.out,
    '--set',
    `openai.base_url=${model.url}/v1`,
    '--set',
    'openai.model_name=m',
    '--set',
    `env.max_num_workers=${rollouts}`,
  ];
  const faults: string[] = [];
  if (isKilled) {
    gate.isHeld = true;
    const program = place.start(args);
    if (!(await eventually(() => gate.waiting === rollouts, 120_000))) faults.push(`only ${gate.waiting} had planted when it was killed`);
    if (findProcesses(token).length < rollouts) faults.push('the planted processes are not there before the kill');
    program.child.kill('SIGKILL');
    await program.ended;
    if (!(await eventually(() => findProcesses(token).length === 0, 20_000)))
      faults.push(`after the kill there are still: ${findProcesses(token).join('; ')}`);
    Object.assign(gate, { waiting: 0, isHeld: false });
  }
  const { code, err } = await place.start(args).ended;
  if (code !== 0) faults.push(`the run ended with ${code}: ${err}`);
  faults.push(...checkSamples(join(place.out, 'samples.jsonl'), { rollouts, token, markOf }));
  if (!(await eventually(() => findProcesses(token).length === 0, 20_000))) faults.push(`left running: ${findProcesses(token).join('; ')}`);
  if (existsSync(join(place.out, 'work'))) faults.push('folders of attempts are left');
  const left = readdirSync(place.tmp);
  if (left.length > 0) faults.push(`left in the temporary folder: ${left.join(', ')}`);
  return { rollouts, together: gate.most, faults };
}

interface SampleChecks {
  readonly rollouts: number;
  readonly token: string;
  readonly markOf: (task: string) => string;
}
function checkSamples(path: string, { rollouts, token, markOf }: SampleChecks): readonly string[] {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => parseJson(line) ?? [])
    .filter(isObject);
  const faults = lines.length === rollouts ? [] : [`${lines.length} attempts instead of ${rollouts}`];
  for (const line of lines) {
    const task = toText(line['task_name']);
    const messages = Array.isArray(line['messages']) ? line['messages'].filter(isObject) : [];
    const [planted = '', seen = ''] = messages.filter(({ role }) => role === 'tool').map(({ content }) => toText(content));
    const marks = new Set(seen.match(new RegExp(`${token}-task-\\d+-end`, 'g')));
    marks.delete(markOf(task));
    if (marks.size > 0) faults.push(`${task} sees ${[...marks].join(', ')}`);
    if (!planted.includes('bound')) faults.push(`${task} could not take its port: ${planted.slice(0, 200)}`);
    const own = seen.split(markOf(task)).length - 1;
    // Two files, a variable, a process, the answer of its server.
    if (own < 5) faults.push(`${task} sees only ${own} of its own things: ${seen.slice(0, 300)}`);
  }
  return faults;
}
