import { RequestError, type SessionConfigOption, type SessionUpdate } from '@agentclientprotocol/sdk';
import { isUsageError } from '../../../base/errors.ts';
import type { SessionHandle } from '../../../contracts/host.ts';
import { describeConfig, readModelValue, readMode, type ConsentModeId, type ModelChoice } from './config-options.ts';

export interface SessionChoicesDeps {
  readonly handle: SessionHandle;
  /** The mode it begins with. */
  readonly mode?: ConsentModeId | undefined;
  listModels(provider: string): Promise<readonly ModelChoice[]>;
  update(change: SessionUpdate): void;
}
/** What the person can choose for one session, in the editor or by a command. */
export interface SessionChoices {
  mode(): ConsentModeId;
  options(): Promise<SessionConfigOption[]>;
  /** Refused for a mode or a model that is not there. */
  set(id: string, value: string): Promise<SessionConfigOption[]>;
  /** Tells the editor what is chosen now, when that is not what it knows. */
  refresh(): Promise<void>;
}

const ALLOWED_BY = 'the mode Allow of the editor';

export function createSessionChoices({ handle, mode: first, listModels, update }: SessionChoicesDeps): SessionChoices {
  let isDenying = false;
  const setMode = (value: string): void => {
    const next = readMode(value);
    isDenying = next === 'deny';
    handle.setAllowAll(next === 'allow' ? (handle.allowAll ?? ALLOWED_BY) : undefined);
  };
  if (first !== undefined) setMode(first);
  const mode = (): ConsentModeId => (handle.allowAll !== undefined ? 'allow' : isDenying ? 'deny' : 'ask');
  let [knownMode, knownRuntime] = [mode(), handle.runtime];
  const options = async (): Promise<SessionConfigOption[]> => {
    const { model, provider } = handle.runtime;
    return describeConfig(mode(), { model, provider }, await listModels(provider));
  };
  return {
    mode,
    options,
    set: async (id, value) => {
      if (id === 'mode') setMode(value);
      else if (id === 'model') await chooseModel(handle, value);
      else throw RequestError.invalidParams({ configId: id }, `there is no option ${id}. Options: model, mode.`);
      return options();
    },
    refresh: async () => {
      const [isOtherMode, isOtherModel] = [mode() !== knownMode, handle.runtime !== knownRuntime];
      [knownMode, knownRuntime] = [mode(), handle.runtime];
      if (isOtherMode) update({ sessionUpdate: 'current_mode_update', currentModeId: knownMode });
      if (isOtherMode || isOtherModel) update({ sessionUpdate: 'config_option_update', configOptions: await options() });
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
