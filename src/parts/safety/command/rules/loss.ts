import { toWordSet } from '../call/tables.ts';

/** Verbs by which something is lost, whoever says them. */
const LOSS = toWordSet(`
  delete deletes del destroy purge wipe drop remove rm rmi rb reset prune erase flush flushall flushdb terminate revoke disable uninstall
  nuke truncate shred overwrite unregister deregister unpublish yank evict drain forget discard abandon trash decommission deprovision
  teardown shutdown poweroff halt kill detach rollback revert restore deactivate undeploy suspend downgrade deleteall removeall
`);
/** Verbs by which something is opened to others. */
const OPENING = toWordSet('expose tunnel grant authorize impersonate unlock unseal funnel publicize escalate elevate');
/** What is lost with these is made again by the next run. */
const MADE_AGAIN = /^(?:cache|caches|cached|tmp|temp|dry)$/;
const NEGATED = /^(?:no|not|dont|never|without|skip|pre|post|on|before|after|if|non)$/;

/** The words within a word: `db:drop`, `delete-all`, `wipeData`, `users_purge`. */
const within = (word: string): string[] =>
  word
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((part) => part !== '');

/** Whether a word, or a word within it, speaks of loss or of opening something to others. */
export function soundsLikeLoss(word: string): boolean {
  const parts = within(word);
  const opens = (part: string): boolean => OPENING.has(part) || (part === 'public' && /[^a-z]public$/i.test(word));
  return (
    parts.some((part, index) => (LOSS.has(part) || opens(part)) && !NEGATED.test(parts[index - 1] ?? '')) &&
    !parts.some((part) => MADE_AGAIN.test(part))
  );
}

/** Flags that switch a question or a check off, whatever the program. */
const FORCE =
  /^--(?:force(?:-(?!recreate)\w+)?|hard|nuke|no-backup|skip-(?:checks|confirm\w*|backup)|accept-data-loss|auto-approve|no-?confirm|yes-i-really-mean-it)(?:=(?!false|0|no)|$)/;
export const isForce = (word: string): boolean => FORCE.test(word);
