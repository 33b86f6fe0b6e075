/** What stays behind: it belongs to this machine, can be made again, or is a profile of its own. */
const LEFT_BEHIND: ReadonlySet<string> = new Set([
  'logs',
  'trash',
  'profiles',
  'active_profile',
  'sandboxes',
  'known-remotes',
  'processes',
  'processes.json',
  'sync',
  'gateway.pid',
  'gateway_state.json',
  'api-server.pid',
  'api_server_state.json',
  'gateway-starts.log',
  // Copied as a store, not as files.
  'sessions.db',
  'sessions.db-wal',
  'sessions.db-shm',
]);
/** Of the cache only what the log refers to. */
const KEPT_CACHES: ReadonlySet<string> = new Set(['spillover']);

/** Whether a path of the home, told from its root, goes into a backup. */
export function isBackedUp(path: string): boolean {
  const [first = '', second] = path.split('/');
  if (first === 'cache') return second === undefined || KEPT_CACHES.has(second);
  return !LEFT_BEHIND.has(first) && !/(?:\.lock|\.sock|\.part)$/.test(path) && !/(?:^|\/)\.hermes-profile-/.test(path);
}
