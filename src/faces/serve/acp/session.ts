import type { AgentContext, ClientCapabilities, PromptRequest, SessionUpdate, StopReason } from '@agentclientprotocol/sdk';
import { RequestError, type NewSessionResponse, type SessionConfigOption } from '@agentclientprotocol/sdk';
import { isUsageError } from '../../../base/errors.ts';
import { randomHex } from '../../../base/ids.ts';
import type { Host, SessionHandle, SessionOptions } from '../../../contracts/host.ts';
import { createCallIndex } from './call-index.ts';
import { describeConfig, describeModes, readModelValue, readMode, type ConsentModeId, type ModelChoice } from './config-options.ts';
import { createEditorPort } from './editor.ts';
import { readPrompt } from './prompt-content.ts';
import { createPrompts } from './prompts.ts';
import { createClarify } from './questions.ts';
import { replayEntries } from './replay.ts';
import { createReporter } from './reporter.ts';
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

/** One session as an editor has it open. */
export interface AcpSession extends AsyncDisposable {
  readonly id: string;
  /** What the editor can choose, as it stands. */
  state(): Promise<Pick<NewSessionResponse, 'configOptions' | 'modes'>>;
  /** Tells what can be typed in place of a message. */
  announce(): Promise<void>;
  /** Shows all that was said so far. */
  replay(): Promise<void>;
  prompt(prompt: PromptRequest['prompt'], signal: AbortSignal): Promise<StopReason>;
  cancel(): void;
  setMode(id: string): void;
  setConfigOption(id: string, value: unknown): Promise<SessionConfigOption[]>;
  /** A line for the person. */
  notice(words: string): void;
  /** Stops what runs and ends the session. */
  end(): Promise<void>;
}

/** Closing it stops a turn that runs, durably, and leaves the session to be loaded again. */
export async function openAcpSession(deps: AcpSessionDeps, options: SessionOptions): Promise<AcpSession> {
  const { host, client, capabilities } = deps;
  let mode: ConsentModeId = deps.allowAll === undefined ? 'ask' : 'allow';
  let handle: SessionHandle | undefined;
  const sessionId = (): string => handle?.session.id ?? '';
  const update = (change: SessionUpdate): void =>
    void client.notify('session/update', { sessionId: sessionId(), update: change }).catch(() => {});
  const calls = createCallIndex(update);
  const clarify = createClarify({ client, capabilities, sessionId, mode: () => mode, callOf: calls.callOf });
  handle = await host.openSession({
    platform: 'acp',
    ...options,
    ...(deps.allowAll !== undefined && { allowAll: deps.allowAll }),
    ports: { clarify, editor: createEditorPort({ client, capabilities, sessionId, opened: calls.opened }) },
  });
  const opened = handle;
  const reporter = createReporter({ host, handle, capabilities, update, calls, notice: deps.notice });
  const prompts = createPrompts({
    host,
    handle,
    show: reporter.show,
    say: (words) => void (words !== '' && update(toTextChunk(words, randomHex(16)))),
    confirm: async (question, signal) => (await clarify({ question, act: question, choices: ['Yes', 'No'] }, signal)) === 'Yes',
  });
  const configOptions = async (): Promise<SessionConfigOption[]> => {
    const { model, provider } = opened.runtime;
    return describeConfig(mode, { model, provider }, await deps.listModels(provider));
  };
  const setMode = (id: string): void => {
    mode = readMode(id);
    opened.setAllowAll(mode === 'allow' ? (deps.allowAll ?? 'the mode Allow of the editor') : undefined);
    update({ sessionUpdate: 'current_mode_update', currentModeId: mode });
  };
  return {
    id: opened.session.id,
    state: async () => ({ configOptions: await configOptions(), modes: describeModes(mode) }),
    announce: async () =>
      update({ sessionUpdate: 'available_commands_update', availableCommands: toAvailableCommands(await host.commands.list('terminal')) }),
    replay: async () => {
      const { id, cwd } = opened.session;
      for (const change of replayEntries(await host.store.entries(id), cwd)) update(change);
      await reporter.showTitle();
    },
    prompt: async (prompt, signal) => {
      const before = opened.runtime;
      const reason = await prompts.send(readPrompt(prompt), signal);
      // A command may have chosen another model.
      if (opened.runtime !== before) update({ sessionUpdate: 'config_option_update', configOptions: await configOptions() });
      await reporter.showTitle();
      return reason;
    },
    cancel: prompts.cancel,
    setMode: (id) => {
      setMode(id);
      void configOptions().then((shown) => update({ sessionUpdate: 'config_option_update', configOptions: shown }));
    },
    setConfigOption: async (id, value) => {
      if (id === 'mode') setMode(String(value));
      else if (id === 'model') await chooseModel(opened, String(value));
      else throw RequestError.invalidParams({ configId: id }, `there is no option ${id}. Options: model, mode.`);
      return configOptions();
    },
    notice: reporter.notice,
    end: async () => {
      await prompts.stop();
      await opened.end('exit');
    },
    [Symbol.asyncDispose]: async () => {
      await prompts.stop();
      reporter.close();
      await opened[Symbol.asyncDispose]();
    },
  };
}

async function chooseModel(handle: SessionHandle, value: string): Promise<void> {
  try {
    await handle.setModel(readModelValue(value));
  } catch (error) {
    if (isUsageError(error)) throw RequestError.invalidParams({ model: value }, error.message);
    throw error;
  }
}
