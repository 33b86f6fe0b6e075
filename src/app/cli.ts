import { messageOf, UsageError } from '../base/errors.ts';
import { StoreError } from '../contracts/session-store.ts';
import { plainChat } from '../faces/cli/plain-chat.ts';
import type { Verbs } from '../faces/cli/verbs.ts';
import { ownerOnly } from './owner-only.ts';
import { guardProcess } from './host/redaction.ts';
import { version } from '../base/version.ts';

/** Every verb, loaded when it is asked for: a command pays only for what it uses. */
const VERBS: Verbs = ownerOnly({
  interactive: async () => (await import('./verbs/interactive.ts')).interactive(),
  chat: async (flags) => (await import('./verbs/chat.ts')).chat(flags),
  demo: async (flags) => (await import('./verbs/demo.ts')).demo(flags),
  replay: async (ref, flags) => (await import('./verbs/replay.ts')).replay(ref, flags),
  usage: async (flags) => (await import('./verbs/usage.ts')).usage(flags),
  doctor: async (flags) => (await import('./verbs/doctor.ts')).doctor(flags),
  prompt: {
    show: async (flags) => (await import('./verbs/prompt.ts')).show(flags),
    scan: async (paths, flags) => (await import('./verbs/prompt.ts')).scan(paths, flags),
    allow: async (path, flags) => (await import('./verbs/prompt.ts')).allow(path, flags),
  },
  memory: {
    list: async (flags) => (await import('./verbs/memory.ts')).list(flags),
    add: async (target, words) => (await import('./verbs/memory.ts')).add(target, words),
    remove: async (target, entry) => (await import('./verbs/memory.ts')).remove(target, entry),
    path: async () => (await import('./verbs/memory.ts')).path(),
  },
  skills: {
    list: async (flags) => (await import('./verbs/skills.ts')).list(flags),
    view: async (name, file) => (await import('./verbs/skills.ts')).view(name, file),
    install: async (source, flags) => (await import('./verbs/skills.ts')).install(source, flags),
    remove: async (name) => (await import('./verbs/skills.ts')).remove(name),
    check: async (flags) => (await import('./verbs/skills.ts')).check(flags),
  },
  sessions: {
    list: async (flags) => (await import('./verbs/sessions.ts')).list(flags),
    show: async (ref, flags) => (await import('./verbs/sessions.ts')).show(ref, flags),
    search: async (text, flags) => (await import('./verbs/sessions.ts')).search(text, flags),
    export: async (ref, file, flags) => (await import('./verbs/sessions.ts')).exportSession(ref, file, flags),
    rename: async (ref, title) => (await import('./verbs/sessions.ts')).rename(ref, title),
    delete: async (ref, flags) => (await import('./verbs/sessions.ts')).remove(ref, flags),
    compress: async (ref, topic, flags) => (await import('./verbs/compress.ts')).compress(ref, topic, flags),
    rebuildPrompt: async (ref) => (await import('./verbs/sessions.ts')).rebuildPrompt(ref),
    repair: async (flags) => (await import('./verbs/sessions.ts')).repair(flags),
    backup: async (file) => (await import('./verbs/sessions.ts')).backup(file),
  },
  config: {
    get: async (key, flags) => (await import('./verbs/config.ts')).get(key, flags),
    set: async (key, value) => (await import('./verbs/config.ts')).set(key, value),
    path: async () => (await import('./verbs/config.ts')).path(),
    check: async (flags) => (await import('./verbs/config.ts')).check(flags),
    schema: async (flags) => (await import('./verbs/config.ts')).schema(flags),
    explain: async (key) => (await import('./verbs/config.ts')).explain(key),
  },
  tools: {
    list: async (flags) => (await import('./verbs/tools.ts')).list(flags),
    change: async (names, on, flags) => (await import('./verbs/tools.ts')).change(names, on, flags),
  },
  approvals: {
    list: async (flags) => (await import('./verbs/approvals.ts')).list(flags),
    show: async (id, flags) => (await import('./verbs/approvals.ts')).show(id, flags),
    decide: async (id, state, flags) => (await import('./verbs/approvals.ts')).decide(id, state, flags),
  },
  checkpoints: {
    list: async (flags) => (await import('./verbs/checkpoints.ts')).list(flags),
    show: async (ref, flags) => (await import('./verbs/checkpoints.ts')).show(ref, flags),
    diff: async (ref, file, flags) => (await import('./verbs/checkpoints.ts')).diff(ref, file, flags),
    restore: async (ref, file, flags) => (await import('./verbs/checkpoints.ts')).restore(ref, file, flags),
    prune: async (flags) => (await import('./verbs/checkpoints.ts')).prune(flags),
    clear: async (flags) => (await import('./verbs/checkpoints.ts')).clear(flags),
    status: async (flags) => (await import('./verbs/checkpoints.ts')).status(flags),
  },
  trash: {
    list: async (flags) => (await import('./verbs/trash.ts')).list(flags),
    restore: async (id, flags) => (await import('./verbs/trash.ts')).restore(id, flags),
    empty: async (flags) => (await import('./verbs/trash.ts')).empty(flags),
  },
  mcp: {
    list: async (flags) => (await import('./verbs/mcp.ts')).list(flags),
    add: async (name, args, flags) => (await import('./verbs/mcp-change.ts')).add(name, args, flags),
    test: async (name, flags) => (await import('./verbs/mcp.ts')).test(name, flags),
    remove: async (name, flags) => (await import('./verbs/mcp-change.ts')).remove(name, flags),
  },
});

/** Runs one command line. Gives the exit code; what a person can mend is told in a line or two, never as a stack. */
export async function run(argv: readonly string[]): Promise<number> {
  process.stdout.on('error', lostOutput);
  process.stderr.on('error', () => {});
  guardProcess(process);
  try {
    const plain = plainChat(argv);
    if (plain !== undefined) return await VERBS.chat(plain);
    const { runProgram } = await import('../faces/cli/program.ts');
    return await runProgram(argv, VERBS, version);
  } catch (error) {
    if (error instanceof UsageError) return tell(error.message, 2);
    if (error instanceof StoreError) return tell(error.message, 1);
    return tell(`Something in hermes itself went wrong: ${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}`, 1);
  }
}

function tell(words: string, code: number): number {
  process.stderr.write(`hermes: ${words}\n`);
  return code;
}

/** A reader that went away (`| head`) is no error, whatever the command; output that could not be written is. */
function lostOutput(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') process.exit(tell(`the output could not be written: ${error.message}`, 1));
}
