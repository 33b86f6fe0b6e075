/** What a child has of its parent: how deep it is, and the tools it may at most have. */
export interface ChildLimits {
  readonly depth: number;
  readonly within: readonly string[];
}

/** Tools that are the owner's session's alone: they ask, outlast the task or speak to others. */
export const NOT_FOR_CHILDREN: readonly string[] = ['clarify', 'memory', 'skill_manage', 'send_message', 'cronjob'];
