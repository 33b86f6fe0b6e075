/** Leaders of what was started for a command that has not come yet: they and what is below them belong to no command. */
const leaders = new Set<number>();

/** Gives the way to take it back, when its command has come or it has gone. */
export function markWaiting(leader: number | undefined): () => void {
  if (leader === undefined) return () => {};
  leaders.add(leader);
  return () => void leaders.delete(leader);
}

export const isWaiting = (pid: number): boolean => leaders.has(pid);
