import { toWordSet } from './rows.ts';

/** Verbs by which something is lost, whoever says them. */
const LOSS = toWordSet(`
  delete deletes del destroy purge wipe drop remove rm rmi rb reset prune erase flush flushall flushdb terminate revoke disable uninstall
  nuke truncate shred overwrite unregister deregister unpublish yank evict drain forget discard abandon obliterate trash implode
  decommission deprovision teardown shutdown poweroff halt kill detach rollback revert restore expunge annihilate scrub clobber deactivate
  undeploy dismiss offboard suspend reimage reformat downgrade zeroize sanitize quarantine wipeout factoryreset removeall deleteall
  dropall wipeall resetall cleanall eraseall purgeall rmall
`);
/** Verbs by which something is switched off or taken back. Programs people build with say them all the time; others mean them. */
const SWITCHING = toWordSet(`
  stop off disconnect cleanup cleanse clear cancel quit fresh down abort signout logout deny block unban unmask unprotect lockout demote
  promote failover decommissioned stopall killall downscale
`);
/** Verbs by which something is opened, handed out or put where others see it. */
const OPENING = toWordSet(`
  expose share publish upload push deploy tunnel grant authorize impersonate unlock unseal send exfil exfiltrate broadcast transfer funnel
  leak publicize invite escalate elevate
`);
/** What is lost with these is made again by the next run. */
const MADE_AGAIN =
  /^(?:cache|caches|cached|tmp|temp|color|colors|screen|terminal|cursor|line|lines|whitespace|blank|blanks|dry|comments?)$/;
const NEGATED = /^(?:no|not|dont|never|without|skip|pre|post|on|before|after|if|non)$/;

/** The words within a word: `db:drop`, `delete-all`, `wipeData`, `users_purge`. */
const within = (word: string): string[] =>
  word
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((part) => part !== '');

function sounds(word: string, means: (part: string) => boolean): boolean {
  const parts = within(word);
  return parts.some((part, index) => means(part) && !NEGATED.test(parts[index - 1] ?? '')) && !isMadeAgain(word);
}
/** Caches and their like, wherever the word for them stands. */
export const isMadeAgain = (word: string): boolean => within(word).some((part) => MADE_AGAIN.test(part));

/** Stems that speak of loss wherever they stand: `ldapdelete`, `powercycle`, `delprinc`. */
const STEMS =
  /delete|destroy|remove|purge|wipe(?!r)|erase|nuke|uninstall|unregister|shutdown|power(?:off|down|cycle)|reboot|terminat|revoke|disable|truncate|unload|kill$|^qdel$|cancel$|^del(?!ta|ay|eg|iv|ve|ug|im|l)[a-z]/;

/** Whether a word, or a word within it, speaks of loss. */
export const soundsLikeLoss = (word: string): boolean => sounds(word, (part) => LOSS.has(part));
/** The same for names nobody knows, in which words stand together. */
export const hintsAtLoss = (word: string): boolean => sounds(word, (part) => LOSS.has(part) || SWITCHING.has(part) || STEMS.test(part));
/** What even a script of the project should not do unasked. */
const STRONG = toWordSet('destroy nuke wipe purge erase uninstall drop obliterate teardown dropdb wipeout');
export const isStrong = (word: string): boolean => sounds(word, (part) => STRONG.has(part));
/** One of those verbs, and nothing else. */
export const isLossVerb = (word: string): boolean => LOSS.has(word.toLowerCase());
/** The same for what opens a door or hands something out. As a word of its own `public` is a folder; `--public` and `make-public` open. */
export const soundsLikeOpening = (word: string): boolean =>
  sounds(word, (part) => OPENING.has(part) || (part === 'public' && /[^a-z]public$/i.test(word)));
/** The name of a verb rather than of a file, a branch or a number. */
export const isVerbLike = (word: string): boolean => /^[A-Za-z][A-Za-z_-]*(?:[:.][A-Za-z][A-Za-z_-]*)*$/.test(word) && word.length < 40;
/** Flags that switch a question or a check off, whatever the program. */
const FORCE = toWordSet(`
  --force --force-delete --force-destroy --hard --yes-i-really-mean-it --really --nuke --no-backup --skip-checks --skip-confirm
  --skip-confirmation --skip-prompt --skip-backup --no-preserve-root --accept-data-loss --auto-approve --no-confirm --noconfirm --insecure
  --no-verify --noverify --no-check --unsafe --unsafe-perm --allow-root --disable-auth --disable-security --disable-ssl --disable-tls
  --disable-firewall --disable-protection --no-auth
`);
export const isForce = (word: string): boolean => {
  const [flag = '', value = 'true'] = word.split('=');
  return (FORCE.has(flag) || flag.startsWith('--dangerously')) && !/^(?:false|0|no)$/.test(value);
};
