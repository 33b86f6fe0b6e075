import type { CommandRule } from '../call/call.ts';
import { soundsLikeLoss, soundsLikeOpening } from './loss.ts';
import { ask, toWordSet, listOperands } from './rows.ts';
import { CLOUDS } from './vendors/clouds.ts';
import { CLUSTERS } from './vendors/clusters.ts';
import { FORGES } from './vendors/forges.ts';
import { INFRASTRUCTURE } from './vendors/infrastructure.ts';
import { PLATFORMS } from './vendors/platforms.ts';
import { STORAGE } from './vendors/storage.ts';
import { askBeyondWays } from './ways.ts';

/** Flags that make a request of a forge's own tool one that changes something. */
const FIELD = /^(?:-f|-F|--field|--raw-field|--input|-X|--method|-XPOST)$/;
/** Where a forge keeps who may do what. */
const ACCESS = toWordSet(`
  keys gpg_keys ssh_signing_keys deploy_keys deploy-keys collaborators members memberships invitations teams hooks secrets variables
  permissions runners transfer protection rulesets environments installations applications tokens access_tokens forks dispatches
  impersonation_tokens pages
`);
const COPIES = /^(?:sync|rsync|cp|copy|mirror|mv)$/;
const BUCKET = /^(?:s3|gs|az|https):\/\/[^/]+|^[\w-]+:(?!\/\/)[\w.-]*/;
/** Words that only try a playbook. */
const ONLY_TRIES = /^(?:--check|-C|--syntax-check|--list-\w+|--version|--help)$/;

/** Things that live in somebody's data centre, and those that command many machines at once. */
export const CLOUD: readonly CommandRule[] = [
  askBeyondWays('cloud_loss', 'it changes, deletes or opens something in the cloud', CLOUDS),
  askBeyondWays('cloud_loss', 'it changes what others see or use on a hosting platform', PLATFORMS),
  askBeyondWays('cloud_loss', 'it changes or takes down what runs on a cluster', CLUSTERS),
  askBeyondWays('cloud_loss', 'it changes machines or services that are in use', INFRASTRUCTURE),
  askBeyondWays('cloud_loss', 'it deletes or overwrites stored data, backups or volumes', STORAGE),
  askBeyondWays('forge', 'it changes a repository, its checks or its releases for everybody', FORGES),
  ask('data_sent', 'it copies a whole bucket to another', (name, args) => {
    if (!/^(?:aws|gsutil|gcloud|rclone|mc|s3cmd|s5cmd|azcopy)$/.test(name) || !args.some((word) => COPIES.test(word))) return false;
    return new Set(listOperands(args).flatMap((word) => BUCKET.exec(word)?.[0] ?? [])).size > 1;
  }),
  ask('forge', 'it starts a workflow that by its name takes something down or reaches what others use', (name, args) => {
    const [noun, verb, workflow = ''] = listOperands(args);
    return (
      /^(?:gh|glab)$/.test(name) &&
      /^(?:workflow|ci|pipeline)$/.test(noun ?? '') &&
      verb === 'run' &&
      (soundsLikeLoss(workflow) || soundsLikeOpening(workflow) || args.some((word) => /(?:^|[=\W])prod(?:uction)?\b|\blive$/i.test(word)))
    );
  }),
  ask(
    'forge',
    'it changes who may enter, what is trusted or what runs by itself in a repository or an account',
    (name, args) =>
      /^(?:gh|glab)$/.test(name) &&
      args[0] === 'api' &&
      args.some((word) => FIELD.test(word)) &&
      !args.some((word, index) => word === 'GET' && /^(?:-X|--method)$/.test(args[index - 1] ?? '')) &&
      listOperands(args).some((word) => word.split(/[/?]/).some((part) => ACCESS.has(part))),
  ),
  ask('cloud_loss', 'it runs a command on many machines', (name, args) => {
    if (name === 'ansible-playbook') return !args.some((word) => ONLY_TRIES.test(word));
    if (name !== 'ansible' || args.some((word) => ONLY_TRIES.test(word))) return false;
    const module = args[args.findIndex((word) => /^(?:-m|--module-name)$/.test(word)) + 1] ?? '';
    return (
      !/^(?:ping|setup|debug|stat|ansible\.builtin\.(?:ping|setup|debug|stat))$/.test(module) ||
      !args.some((word) => /^(?:-m|--mod)/.test(word))
    );
  }),
];
