import { RequestError, type SessionConfigOption, type SessionModeState } from '@agentclientprotocol/sdk';

/** How a session of an editor handles what needs consent. */
export interface ConsentMode {
  readonly id: ConsentModeId;
  readonly name: string;
  readonly description: string;
}
export type ConsentModeId = 'ask' | 'allow' | 'deny';

const MODES: readonly ConsentMode[] = [
  { id: 'ask', name: 'Ask', description: 'Ask before anything risky' },
  { id: 'allow', name: 'Allow', description: 'Run without asking; commands that would destroy the system are still refused' },
  { id: 'deny', name: 'Deny', description: 'Refuse whatever would need approval' },
];

/** A model that can be chosen. */
export interface ModelChoice {
  readonly model: string;
  readonly provider: string;
  readonly name?: string;
}

export function readMode(id: string): ConsentModeId {
  const mode = MODES.find((each) => each.id === id);
  if (mode === undefined)
    throw RequestError.invalidParams({ mode: id }, `there is no mode ${id}. Modes: ${MODES.map((each) => each.id).join(', ')}.`);
  return mode.id;
}

/** The older way to say which mode there is; clients that know config options use those. */
export const describeModes = (mode: ConsentModeId): SessionModeState => ({ currentModeId: mode, availableModes: [...MODES] });

export const describeConfig = (mode: ConsentModeId, current: ModelChoice, choices: readonly ModelChoice[]): SessionConfigOption[] => {
  const all = choices.some((choice) => toModelValue(choice) === toModelValue(current)) ? choices : [current, ...choices];
  return [
    {
      type: 'select',
      id: 'model',
      name: 'Model',
      category: 'model',
      currentValue: toModelValue(current),
      options: all.map((choice) => ({ value: toModelValue(choice), name: choice.name ?? choice.model, description: choice.provider })),
    },
    {
      type: 'select',
      id: 'mode',
      name: 'Approval',
      category: 'mode',
      currentValue: mode,
      options: MODES.map(({ id, name, description }) => ({ value: id, name, description })),
    },
  ];
};

/** `provider:model`; a model's own name may have colons too. */
export const toModelValue = ({ provider, model }: ModelChoice): string => `${provider}:${model}`;

export function readModelValue(value: string): { readonly provider: string; readonly model: string } {
  const at = value.indexOf(':');
  if (at <= 0 || at === value.length - 1)
    throw RequestError.invalidParams({ value }, `${JSON.stringify(value)} is not a model. Write it as PROVIDER:MODEL.`);
  return { provider: value.slice(0, at), model: value.slice(at + 1) };
}
