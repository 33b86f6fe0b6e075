import { UsageError } from '../base/errors.ts';
import type { Verbs } from '../faces/cli/verbs.ts';
import { isYolo } from '../parts/safety/approval/yolo.ts';

/** Settings that say what the agent may do, or what it is. */
const GUARDED =
  /^(?:approvals|command_allowlist|security|terminal|toolsets|platform_toolsets|custom_toolsets|tools|mcp_servers|hooks|plugins|checkpoints|trash|skills|memory|agent|prefill_messages_file|auxiliary\.approval|browser)(?:\.|$)/;

/** What only the owner does: answering the agent's questions, and changing its rules, its memory, or what he can have back. */
export const ownerOnly = (verbs: Verbs): Verbs => ({
  ...verbs,
  chat: (flags) => (flags.yolo === true || isYolo(process.env) ? owners('chat without questions', verbs.chat)(flags) : verbs.chat(flags)),
  prompt: { ...verbs.prompt, allow: owners('prompt allow', verbs.prompt.allow) },
  memory: { ...verbs.memory, add: owners('memory add', verbs.memory.add), remove: owners('memory remove', verbs.memory.remove) },
  skills: {
    ...verbs.skills,
    install: owners('skills install', verbs.skills.install),
    remove: owners('skills remove', verbs.skills.remove),
  },
  config: {
    ...verbs.config,
    set: (key, value) => (GUARDED.test(key) ? owners(`config set ${key}`, verbs.config.set) : verbs.config.set)(key, value),
  },
  tools: {
    ...verbs.tools,
    change: (names, on, flags) => (on ? owners('tools enable', verbs.tools.change) : verbs.tools.change)(names, on, flags),
  },
  approvals: { ...verbs.approvals, decide: owners('approvals', verbs.approvals.decide) },
  checkpoints: { ...verbs.checkpoints, clear: owners('checkpoints clear', verbs.checkpoints.clear) },
  trash: { ...verbs.trash, empty: owners('trash empty', verbs.trash.empty) },
  mcp: { ...verbs.mcp, add: owners('mcp add', verbs.mcp.add), remove: owners('mcp remove', verbs.mcp.remove) },
});

const owners =
  <Args extends readonly unknown[]>(what: string, verb: (...args: Args) => Promise<number>) =>
  async (...args: Args): Promise<number> => {
    const { isBelowCommand } = await import('../parts/terminals/below-command.ts');
    if (isBelowCommand())
      throw new UsageError(
        `${what} is for the owner alone, and this was started by a command of an agent. Nothing was done; run it yourself, in a terminal of your own.`,
      );
    return verb(...args);
  };
