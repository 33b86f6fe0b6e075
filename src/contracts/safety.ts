/** What is thought of a command before it runs. `refuse` is the hard floor: nobody can allow it. */
export type CommandVerdict = { readonly type: 'fine' } | { readonly type: 'ask' | 'refuse'; readonly reason: string };

/** Judges a shell command by what it would run, not by how it is spelt. Pure. */
export type JudgeCommand = (command: string, place: { readonly cwd: string; readonly home: string }) => CommandVerdict;
