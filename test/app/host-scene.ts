import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { AgentEvent } from '../../src/contracts/event.ts';
import type { SessionHandle, SessionOptions } from '../../src/contracts/host.ts';
import { scriptedProvider, type Script } from '../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../src/testing/scripted-route.ts';

/** A folder of this test file, gone with it. */
export const folder = mkdtempSync(join(tmpdir(), 'hermes-host-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));
export const never = new AbortController().signal;

export const talk = (script: Script, more: SessionOptions = {}): SessionOptions => ({
  provider: scriptedRoute(scriptedProvider(script)),
  mcp: false,
  cwd: folder,
  allowAll: 'test',
  ...more,
});

/** A reply that runs one command. */
export const runs = (line: string, id = 'c1') => ({ calls: [{ id, name: 'terminal', input: { command: line } }] });
export const command = (line: string): Script => [runs(line), { text: 'done' }];

export async function tell(session: SessionHandle, words: string, signal = never): Promise<AgentEvent[]> {
  return Array.fromAsync(session.send(await session.message(words), signal));
}
export const outcomes = (events: readonly AgentEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'settled' ? [event.outcome.exitReason] : []));
/** What tools answered. */
export const results = (events: readonly AgentEvent[]): readonly string[] =>
  events.flatMap((event) =>
    event.type === 'tool_finished' ? [event.result.content.map((block) => (block.type === 'text' ? block.text : '')).join('')] : [],
  );

/** A turn whose first tool has started, and how it ends. */
export async function beginTurn(session: SessionHandle, signal = never): Promise<{ readonly over: Promise<AgentEvent[]> }> {
  const started = Promise.withResolvers<void>();
  const read = async () => {
    const heard: AgentEvent[] = [];
    for await (const event of session.send(await session.message('go'), signal)) {
      heard.push(event);
      if (event.type === 'tool_started') started.resolve();
    }
    return heard;
  };
  const over = read();
  await Promise.race([started.promise, over]);
  return { over };
}

/** Results without the marks around words from outside. */
export const withoutMarks = (text: string): string => text.replaceAll(/<outside key="\w+" source="[^"]*">\n|\n<\/outside \w+>/g, '');
