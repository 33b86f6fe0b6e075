import { leaveSession } from '../../../agent/leave-session.ts';
import type { AgentContext, ClientCapabilities, PromptRequest, SessionUpdate, StopReason } from '@agentclientprotocol/sdk';
import type { NewSessionResponse, SessionConfigOption } from '@agentclientprotocol/sdk';
import { randomHex } from '../../../base/ids.ts';
import type { Host, SessionHandle, SessionOptions } from '../../../contracts/host.ts';
import { createCallIndex } from './call-index.ts';
import { describeModes, type ConsentModeId, type ModelChoice } from './config-options.ts';
import { createEditorPort } from './editor.ts';
import { readPrompt } from './prompt-content.ts';
import { createPrompts } from './prompts.ts';
import { createClarify } from './questions.ts';
import { replayEntries } from './replay.ts';
import { createReporter } from './reporter.ts';
import { createSessionChoices, type SessionChoices } from './session-choices.ts';
import { toAvailableCommands } from './slash.ts';
import { toTextChunk } from './turn-updates.ts';

/** What a session needs of the connection it belongs to. */
export interface AcpSessionDeps {
  readonly host: Host;
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  /** Models a person may choose from, besides the one in use. */
  listModels(provider: string): Promise<readonly ModelChoice[]>;
  /** Who allowed everything above the floor in advance, in words. */
  readonly allowAll?: string | undefined;
  /** A line for the log of the editor. */
  notice(words: string): void;
}

/** What a person has chosen for a session. */
export interface ChosenOptions {
  readonly mode: ConsentModeId;
  /** Absent while it has the model it was opened with. */
  readonly model?: ModelChoice;
}

/** One session as an editor has it open. */
export interface AcpSession extends AsyncDisposable {
  readonly id: string;
  /** What was chosen for it, for when it is opened again. */
  chosen(): ChosenOptions;
  /** What the editor can choose, as it stands. */
  state(): Promise<Pick<NewSessionResponse, 'configOptions' | 'modes'>>;
  /** Tells what can be typed in place of a message. */
  announce(): Promise<void>;
  /** Shows all that was said so far. */
  replay(): Promise<void>;
  prompt(prompt: PromptRequest['prompt'], signal: AbortSignal): Promise<StopReason>;
  cancel(): void;
  /** Chooses a model or a mode; gives all there is to choose. */
  setOption(id: string, value: string): Promise<SessionConfigOption[]>;
  /** A line for the person. */
  notice(words: string): void;
  /** Stops what runs and ends the session. */
  end(): Promise<void>;
}

/** Closing it stops a turn that runs, durably, and leaves the session to be loaded again. */
export async function openAcpSession(deps: AcpSessionDeps, options: SessionOptions, chosen?: ChosenOptions): Promise<AcpSession> {
  const { host, client, capabilities, listModels } = deps;
  let opened: { readonly handle: SessionHandle; readonly choices: SessionChoices } | undefined;
  const sessionId = (): string => opened?.handle.session.id ?? '';
  const update = (change: SessionUpdate): void =>
    void client.notify('session/update', { sessionId: sessionId(), update: change }).catch(() => {});
  const calls = createCallIndex(update);
  const isDenied = (): boolean => opened?.choices.mode() === 'deny';
  const clarify = createClarify({ client, capabilities, sessionId, isDenied, callOf: calls.callOf });
  const handle = await host.openSession({
    platform: 'acp',
    ...options,
    ...(chosen?.model !== undefined && { model: chosen.model }),
    ...(deps.allowAll !== undefined && { allowAll: deps.allowAll }),
    ports: { clarify, editor: createEditorPort({ client, capabilities, sessionId, opened: calls.opened }) },
  });
  const firstRuntime = handle.runtime;
  const choices = createSessionChoices({ handle, mode: chosen?.mode, listModels, update });
  opened = { handle, choices };
  const reporter = createReporter({ host, handle, capabilities, update, calls, notice: deps.notice });
  const prompts = createPrompts({
    host,
    handle,
    show: reporter.show,
    say: (words) => void (words !== '' && update(toTextChunk(words, randomHex(16)))),
    confirm: async (question, signal) => (await clarify({ question, act: question, choices: ['Yes', 'No'] }, signal)) === 'Yes',
  });
  return {
    id: handle.session.id,
    chosen: () => {
      const { model, provider } = handle.runtime;
      return { mode: choices.mode(), ...(handle.runtime !== firstRuntime && { model: { model, provider } }) };
    },
    state: async () => ({ configOptions: await choices.options(), modes: describeModes(choices.mode()) }),
    announce: async () =>
      update({ sessionUpdate: 'available_commands_update', availableCommands: toAvailableCommands(await host.commands.list('terminal')) }),
    replay: async () => {
      const { id, cwd } = handle.session;
      for (const change of replayEntries(await host.store.entries(id), cwd)) update(change);
      await reporter.showTitle();
    },
    prompt: async (prompt, signal) => {
      const reason = await prompts.send(readPrompt(prompt), signal);
      await choices.refresh();
      await reporter.showTitle();
      return reason;
    },
    cancel: prompts.cancel,
    setOption: async (id, value) => {
      const shown = await choices.set(id, value);
      await choices.refresh();
      return shown;
    },
    notice: reporter.notice,
    end: async () => {
      await prompts.stop();
      await handle.end('exit');
    },
    [Symbol.asyncDispose]: async () => {
      await prompts.stop();
      reporter.close();
      await leaveSession(handle);
      await handle[Symbol.asyncDispose]();
    },
  };
}
