import type { CommandRenderer, RendererRow } from './renderer.ts';

/** Where the renderers of commands are, by the first word of their names; loaded with the command that is run. */
const FAMILIES: Readonly<Record<string, () => Promise<{ readonly ROWS: readonly RendererRow[] }>>> = {
  approvals: () => import('./approvals.ts'),
  batch: () => import('./batch.ts'),
  backup: () => import('./backup.ts'),
  env: () => import('./env.ts'),
  checkpoints: () => import('./checkpoints.ts'),
  config: () => import('./config.ts'),
  cron: () => import('./cron.ts'),
  doctor: () => import('./doctor.ts'),
  gateway: () => import('./gateway.ts'),
  help: () => import('./help.ts'),
  insights: () => import('./insights.ts'),
  mcp: () => import('./mcp.ts'),
  memory: () => import('./memory.ts'),
  migrate: () => import('./migrate.ts'),
  model: () => import('./model.ts'),
  processes: () => import('./processes.ts'),
  profile: () => import('./profile.ts'),
  prompt: () => import('./prompt.ts'),
  replay: () => import('./replay.ts'),
  restore: () => import('./backup.ts'),
  rollback: () => import('./session-rollback.ts'),
  send: () => import('./send.ts'),
  setup: () => import('./setup.ts'),
  sessions: () => import('./sessions.ts'),
  skills: () => import('./skills.ts'),
  tools: () => import('./tools.ts'),
  trash: () => import('./trash.ts'),
  update: () => import('./update.ts'),
  usage: () => import('./usage.ts'),
};

/** How a command's result is drawn; one that nobody drew for shows its text, or all of it as JSON. */
export async function loadRenderer(name: string, describe: (result: unknown) => string = asJson): Promise<CommandRenderer> {
  const rows = await FAMILIES[name.split(' ')[0] ?? '']?.();
  return rows?.ROWS.find(([of]) => of === name)?.[1] ?? { text: (result) => endLine(describe(result)), json: (result) => result };
}

const asJson = (result: unknown): string => (typeof result === 'string' ? result : (JSON.stringify(result, undefined, 2) ?? ''));
const endLine = (text: string): string => (text === '' ? '' : `${text.replace(/\n$/, '')}\n`);
