import type { Rule } from '../run/call.ts';
import { soundsLikeLoss } from './loss.ts';
import { ask, operands } from './rows.ts';
import { CLOUDS } from './vendors/clouds.ts';
import { CLUSTERS } from './vendors/clusters.ts';
import { FORGES } from './vendors/forges.ts';
import { INFRASTRUCTURE } from './vendors/infrastructure.ts';
import { PLATFORMS } from './vendors/platforms.ts';
import { STORAGE } from './vendors/storage.ts';
import { beyond } from './ways.ts';

const COPIES = /^(?:sync|rsync|cp|copy|mirror|mv)$/;
const BUCKET = /^(?:s3|gs|az|https):\/\/[^/]+|^[\w-]+:(?!\/\/)[\w.-]*/;
/** Words that only try a playbook. */
const ONLY_TRIES = /^(?:--check|-C|--syntax-check|--list-\w+|--version|--help)$/;

/** Things that live in somebody's data centre, and those that command many machines at once. */
export const CLOUD: readonly Rule[] = [
  beyond('cloud_loss', 'it changes, deletes or opens something in the cloud', CLOUDS),
  beyond('cloud_loss', 'it changes what others see or use on a hosting platform', PLATFORMS),
  beyond('cloud_loss', 'it changes or takes down what runs on a cluster', CLUSTERS),
  beyond('cloud_loss', 'it changes machines or services that are in use', INFRASTRUCTURE),
  beyond('cloud_loss', 'it deletes or overwrites stored data, backups or volumes', STORAGE),
  beyond('forge', 'it changes a repository, its checks or its releases for everybody', FORGES),
  ask('data_sent', 'it copies a whole bucket to another', (name, args) => {
    if (!/^(?:aws|gsutil|gcloud|rclone|mc|s3cmd|s5cmd|azcopy)$/.test(name) || !args.some((word) => COPIES.test(word))) return false;
    return new Set(operands(args).flatMap((word) => BUCKET.exec(word)?.[0] ?? [])).size > 1;
  }),
  ask('forge', 'it starts a workflow that by its name takes something down or reaches what others use', (name, args) => {
    const [noun, verb, workflow = ''] = operands(args);
    return (
      /^(?:gh|glab)$/.test(name) &&
      /^(?:workflow|ci|pipeline)$/.test(noun ?? '') &&
      verb === 'run' &&
      (soundsLikeLoss(workflow) || /\bprod/i.test(workflow))
    );
  }),
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
