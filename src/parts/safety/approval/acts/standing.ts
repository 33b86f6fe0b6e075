import { join, resolve } from 'node:path';
import { isObject, parseJson } from '../../../../base/json.ts';
import type { ProgramSettings } from '../../../../contracts/safety.ts';
import { findPushUrl, listRemoteUrls } from './git-urls.ts';

/** What of a call is known already when a place it does not name is looked for. */
interface StandingQuestion extends ProgramSettings {
  /** What its words and the variables before it name. */
  known(name: string): string | undefined;
  readonly cwd: string | undefined;
}
type FindStanding = (question: StandingQuestion) => string | undefined;

/** A file of the owner's home, or the one a variable names. */
const textOf = ({ variable, text, home }: ProgramSettings, name: string, path: string): string | undefined =>
  text(variable(name) ?? join(home, path));
const folderOf = ({ variable, home }: ProgramSettings, name: string, path: string): string => variable(name) ?? join(home, path);

/** The value of a name in a section of an INI file. */
function readIni(text = '', section: string, name: string): string | undefined {
  let now = '';
  for (const line of text.split(/\r?\n/)) {
    now = /^\s*\[([^\]]+)\]/.exec(line)?.[1]?.trim() ?? now;
    const [, key, value] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (now === section && key === name) return value;
  }
  return undefined;
}

/** The context a cluster's tools are set to. Of several files nobody here says which one counts. */
const kubeContext: FindStanding = ({ known, variable, text, home, cwd = '/' }) => {
  const file = known('kubeconfig') ?? variable('KUBECONFIG') ?? join(home, '.kube/config');
  return file.includes(':') ? undefined : /^current-context:[ \t]*["']?([\w.:@/-]+)["']?[ \t]*$/m.exec(text(resolve(cwd, file)) ?? '')?.[1];
};

const gcloudProject: FindStanding = (question) => {
  const folder = folderOf(question, 'CLOUDSDK_CONFIG', '.config/gcloud');
  const active = question.variable('CLOUDSDK_ACTIVE_CONFIG_NAME') ?? question.text(join(folder, 'active_config'))?.trim() ?? 'default';
  return (
    question.variable('CLOUDSDK_CORE_PROJECT') ??
    readIni(question.text(join(folder, 'configurations', `config_${active}`)), 'core', 'project')
  );
};

/** Keys among the variables go before any profile. */
const awsProfile: FindStanding = ({ variable }) => {
  const key = variable('AWS_ACCESS_KEY_ID');
  return key === undefined ? (variable('AWS_PROFILE') ?? variable('AWS_DEFAULT_PROFILE') ?? 'default') : `key:${key}`;
};
const awsRegion: FindStanding = (question) => {
  const { known, variable } = question;
  const profile = known('profile') ?? variable('AWS_PROFILE') ?? variable('AWS_DEFAULT_PROFILE') ?? 'default';
  const config = textOf(question, 'AWS_CONFIG_FILE', '.aws/config');
  return (
    variable('AWS_REGION') ??
    variable('AWS_DEFAULT_REGION') ??
    readIni(config, profile === 'default' ? profile : `profile ${profile}`, 'region') ??
    'none'
  );
};

const azureAccount: FindStanding = (question) => {
  const found = parseJson(
    (question.text(join(folderOf(question, 'AZURE_CONFIG_DIR', '.azure'), 'azureProfile.json')) ?? '').replace(/^\uFEFF/, ''),
  );
  const list = isObject(found) && Array.isArray(found['subscriptions']) ? found['subscriptions'] : [];
  const active = list.find((each) => isObject(each) && each['isDefault'] === true);
  return isObject(active) && typeof active['id'] === 'string' ? active['id'] : undefined;
};

const dockerContext: FindStanding = (question) => {
  const { variable, text } = question;
  const host = variable('DOCKER_HOST');
  if (host !== undefined) return `host:${host}`;
  const config = parseJson(text(join(folderOf(question, 'DOCKER_CONFIG', '.docker'), 'config.json')) ?? '{}');
  const current = isObject(config) ? (config['currentContext'] ?? 'default') : undefined;
  return variable('DOCKER_CONTEXT') ?? (typeof current === 'string' ? current : undefined);
};
const podmanConnection: FindStanding = (question) => {
  const host = question.variable('CONTAINER_HOST');
  if (host !== undefined) return `host:${host}`;
  const found = parseJson(
    question.text(join(folderOf(question, 'XDG_CONFIG_HOME', '.config'), 'containers/podman-connections.json')) ?? '{}',
  );
  const connection = isObject(found) ? found['Connection'] : undefined;
  const name = isObject(connection) ? connection['Default'] : 'local';
  return question.variable('CONTAINER_CONNECTION') ?? (typeof name === 'string' ? name : undefined);
};

const inFolder = ({ known, cwd }: StandingQuestion): string | undefined => {
  const folder = known('in');
  return cwd === undefined && folder?.startsWith('/') !== true ? undefined : resolve(cwd ?? '/', folder ?? '.');
};
const pushUrl: FindStanding = (question) => {
  const [folder, remote] = [inFolder(question), question.known('remote')];
  const isElsewhere = question.known('repository') !== undefined;
  return folder === undefined || remote === undefined || isElsewhere ? undefined : findPushUrl(folder, remote, question);
};
/** The tools of a forge take the repository from the remotes of the folder. */
const forgeRemotes: FindStanding = (question) => {
  const folder = inFolder(question);
  return folder === undefined ? undefined : (listRemoteUrls(folder, question) ?? 'none');
};

/** Where programs act when their words do not say, by what they read themselves: variables and files of the owner, as text. */
export const STANDING = {
  kubeContext,
  gcloudProject,
  awsProfile,
  awsRegion,
  azureAccount,
  dockerContext,
  podmanConnection,
  pushUrl,
  forgeRemotes,
} as const satisfies Readonly<Record<string, FindStanding>>;
