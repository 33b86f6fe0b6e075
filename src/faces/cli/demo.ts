import { measureColumns } from '../../base/screen/wrap.ts';
import { createTextBlock, joinTextBlocks } from '../../contracts/message.ts';
import type { DemoValues } from '../../commands/demo.ts';
import type { Host, ProviderRoute } from '../../contracts/host.ts';
import type { AgentEvent } from '../../contracts/event.ts';
import { encodeEventLine, encodeSessionLine } from './json-events.ts';
import { EXIT, toExitCode } from './exit-codes.ts';
import { drawTurn } from './live.ts';
import { paintFor } from '../../base/screen/paint.ts';
import { createProcessStreams, createStopSignal, tellError } from './streams.ts';

/** What to type: a program run by npx is not on the path. */
const program = process.env['npm_command'] === 'exec' ? 'npx hermes' : 'hermes';
const TASK = 'The tests of this project fail. Find out why, fix the code and run them until they pass.';
/** Words come at the speed of a quick model, so that there is something to watch. */
const PACE = { chunk: 4, paceMs: 14 };

/** The scripted model and the project it works on. */
export interface DemoDeps {
  openHost(): Promise<Host & { readonly config: { readonly settings: { readonly 'terminal.backend': string } } }>;
  /** A model that says what it is told, at this pace. */
  provider(pace: { readonly chunk?: number; readonly paceMs?: number }): ProviderRoute;
  /** Makes the project and gives its folder, with no link in its path. */
  layOutProject(): string;
  /** Whether an answer says that the tests pass. */
  isGreen(answer: string): boolean;
  /** Where the session is kept, for whoever wants to look. */
  readonly storePath: string;
}

/** The real agent with real tools on a real task; only the model is scripted, and the screen says so. */
export async function runDemoCommand(flags: DemoValues, deps: DemoDeps): Promise<number> {
  const streams = createProcessStreams();
  const paint = paintFor(process.stdout, process.env);
  const folder = deps.layOutProject();
  await using host = await deps.openHost();
  const pace = flags.fast === true || !process.stdout.isTTY ? {} : PACE;
  const provider = deps.provider(pace);
  const title = 'Demo: fix a failing project';
  await using open = await host.openSession({
    source: 'demo',
    platform: 'cli',
    cwd: folder,
    title,
    provider,
    mcp: false,
    // The project is ours and lies on this machine, whatever commands of other sessions may do, and wherever they run.
    trusts: [folder],
    terminal: { 'terminal.backend': host.config.settings['terminal.backend'] === 'local' ? 'local' : 'auto' },
  });
  const { session } = open;
  // The whole demo is one text on standard output.
  const screen = {
    streams: { ...streams, err: streams.out, watched: true },
    paint,
    columns: () => (process.stdout.isTTY ? measureColumns(process.stdout) : Infinity),
  };
  const show = flags.json === true ? (event: AgentEvent) => streams.out(encodeEventLine(event)) : drawTurn(screen).show;
  if (flags.json === true) streams.out(encodeSessionLine(session.id, false));
  else
    streams.out(
      `${paint.strong('Hermes demo')} — the agent and its tools are real, the model is ${paint.warn('scripted')}.\nFolder: ${folder}\n\n${paint.accent('you')}  ${TASK}\n\n`,
    );
  const turn = open.send({ role: 'user', content: [createTextBlock(TASK, 'owner')] }, createStopSignal());
  let step = await turn.next();
  let trouble: string | undefined;
  for (; step.done !== true; step = await turn.next()) {
    show(step.value);
    if (step.value.type === 'tool_finished' && step.value.result.failed) trouble ??= joinTextBlocks(step.value.result);
  }
  if (flags.json !== true) streams.out(ending(session.id, deps.storePath));
  // A demo that did not end in green tests has failed, however politely the model says so.
  if (step.value.type !== 'answered' || deps.isGreen(step.value.text)) return toExitCode(step.value);
  return tellError(
    `the demo failed: ${trouble ?? 'its tests did not pass.'}\nTo see what is wrong on this machine: ${program} doctor`,
    EXIT.failed,
  );

  function ending(id: string, store: string): string {
    return `\nThis session is ${paint.strong(id)} in ${store}\n  look at it again:      ${program} sessions show ${id}\n  connect a real model:  ${paint.good(`${program} setup`)}\n`;
  }
}
