/** What a sandbox is made of. Pure: tested as a table. */
export interface DaytonaSettings {
  readonly image: string;
  readonly cpu: number;
  readonly memoryMB: number;
  readonly diskMB: number;
  /** Stopped and found again by the same task, or deleted at the end. */
  readonly persistent: boolean;
}

/** Daytona refuses larger ones. */
const MAX_DISK_GIB = 10;

/** Whole GiB, rounded up; 0 leaves it to Daytona. */
export function toDaytonaResources({ cpu, memoryMB, diskMB }: DaytonaSettings): {
  readonly cpu?: number;
  readonly memory?: number;
  readonly disk?: number;
} {
  return {
    ...(cpu > 0 && { cpu: Math.ceil(cpu) }),
    ...(memoryMB > 0 && { memory: gib(memoryMB) }),
    ...(diskMB > 0 && { disk: Math.min(MAX_DISK_GIB, gib(diskMB)) }),
  };
}
const gib = (mb: number): number => Math.ceil(mb / 1024);

/** What finds the sandbox of a task again. */
export const createTaskLabels = (task: string): { readonly hermes_task_id: string } => ({ hermes_task_id: task });
export const formatSandboxName = (task: string): string => `hermes-${task.replace(/[^A-Za-z0-9-]+/g, '-')}`;
