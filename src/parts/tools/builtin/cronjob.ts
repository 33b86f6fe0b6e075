import { createTextBlock } from '../../../contracts/message.ts';
import type { Ports } from '../../../contracts/ports.ts';
import { ToolFailure, type Tool } from '../../../contracts/tool.ts';

const ACTIONS = ['create', 'list', 'update', 'pause', 'resume', 'remove', 'run'] as const;
/** All but listing need a job; creating makes one. */
const NEEDS_JOB = new Set<string>(['update', 'pause', 'resume', 'remove', 'run']);

export interface CronjobInput {
  readonly action: (typeof ACTIONS)[number];
  readonly job_id?: string;
  readonly prompt?: string;
  readonly schedule?: string;
  readonly name?: string;
  readonly repeat?: number;
  readonly deliver?: string;
  readonly skills?: readonly string[];
  readonly script?: string;
  readonly no_agent?: boolean;
  readonly context_from?: readonly string[];
  readonly toolsets?: readonly string[];
  readonly timezone?: string;
  readonly misfire?: 'run_once' | 'skip';
}

/** Has work done at a time, by whatever scheduler runs. Without one it says so. */
export const cronjobTool = ({ ports }: { readonly ports: Ports }): Tool<CronjobInput> => ({
  name: 'cronjob',
  description: 'Schedule work: create, list, update, pause, resume, remove or run jobs.',
  input: {
    type: 'object',
    properties: {
      action: { type: 'string', enum: [...ACTIONS] },
      job_id: { type: 'string' },
      prompt: { type: 'string', description: 'What to do; the job does not see this conversation' },
      schedule: { type: 'string', description: '30m (once), every 2h, cron expression or ISO time' },
      name: { type: 'string' },
      repeat: { type: 'integer', minimum: 0, description: 'Runs in all; 0: no end' },
      deliver: { type: 'string', description: 'local, or platform:chat; default here' },
      skills: { type: 'array', items: { type: 'string' } },
      script: { type: 'string', description: 'Runs first; its output is added to the prompt' },
      no_agent: { type: 'boolean', description: 'Script only; its output is the result' },
      context_from: { type: 'array', items: { type: 'string' }, description: 'Jobs whose latest result is added' },
      toolsets: { type: 'array', items: { type: 'string' } },
      timezone: { type: 'string', description: 'Such as Europe/Paris' },
      misfire: { type: 'string', enum: ['run_once', 'skip'], description: 'What to do about missed times' },
    },
    required: ['action'],
    additionalProperties: false,
  },
  effects: ({ action }) => ({ kind: action === 'list' ? 'read' : 'write', resources: ['jobs'] }),
  replay: 'never',
  idempotent: false,
  offTerminal: true,
  trust: 'tool',
  timeoutMs: 60_000,
  maxResult: 20_000,
  sink: ({ action }) => (action === 'list' ? undefined : 'the schedule'),
  available: () => ports.schedule !== undefined,
  needs: 'a scheduler, and none runs here',
  run: async ({ action, ...fields }, context) => {
    if (context.ports.schedule === undefined)
      throw new ToolFailure('Not scheduled: no scheduler runs here. Tell the user what should run when.');
    if (NEEDS_JOB.has(action) && (fields.job_id ?? '') === '')
      throw new ToolFailure(`${action} needs a job_id; action: list shows the jobs.`);
    if (action === 'create' && ((fields.schedule ?? '') === '' || ((fields.prompt ?? '') === '' && (fields.script ?? '') === '')))
      throw new ToolFailure('create needs a schedule, and a prompt or a script.');
    const answer = await context.ports.schedule({ action, fields }, context.signal);
    if (!answer.ok) throw new ToolFailure(`Not done: ${answer.why}`);
    return { content: [createTextBlock(answer.words, 'tool')] };
  },
});
