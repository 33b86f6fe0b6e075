import { basename, dirname, resolve } from 'node:path';
import { resolveProfileRoot } from '../../../../base/profile.ts';
import { compileMarkedGlob } from '../values/globs.ts';
import { hasMarks } from '../values/marks.ts';
import { holdsOwn, isWorkedIn, listOwnRoots } from './own.ts';
import { stripTrailingGlobs } from './paths.ts';
import type { ShellContext } from './shell-context.ts';

/** What opens other doors: keys, tokens, passwords. Anywhere, by the end of a path; and below a home. */
const ANYWHERE =
  /(?:^|\/)(?:\.env(?:rc|\.(?!example|sample|template|dist|defaults|test$|schema)[\w.-]+)?|[\w.-]*\.env\.(?:local|production|prod|staging)|(?!(?:example|sample|template|test|default|dist)s?\.)[\w-]+\.env|id_(?:rsa|dsa|ecdsa|ed25519)[\w.-]*(?<!\.pub)|[\w.-]+\.(?:pem|p12|pfx|jks|keystore|kdbx|ppk)|[\w.-]+\.key|[\w.-]*(?:[sS]ervice[-_]?[aA]ccount|adminsdk|client_secret)[\w.-]*\.json|[\w-]*(?:passwords?|passwd|api[-_]?keys?|credentials?|vault[-_]pass\w*)\.(?:txt|json|ya?ml|csv|toml|ini|cfg|xml|md)|tokens?\.txt|[\w-]*(?:deploy|ssh|host|signing)[-_]key|\.npmrc|\.pypirc|\.docker\/config\.json|[\w.-]+\.tfvars(?:\.json)?|wp-config\.php|appsettings\.Production\.json|secrets?\.(?:ya?ml|json|toml|txt|env)|wallet\.dat|\.htpasswd|\.vault[-_]token|\.vault_pass[\w.]*|\.git-credentials|\.pgpass|\.netrc|_netrc|\.my\.cnf|Login Data|key4\.db|logins\.json|cookies\.sqlite|\.dockercfg|terraform\.tfstate[\w.]*)$|^\/etc\/(?:g?shadow-?|sudoers(?:\.d\/.*)?|ssl\/private(?:\/.*)?|ssh\/ssh_host_\w+_key|krb5\.keytab|NetworkManager\/system-connections\/.*|wpa_supplicant\/.*\.conf|wireguard\/.*\.conf|ppp\/\w+-secrets|ipsec\.secrets|mysql\/debian\.cnf|openvpn\/.*\.key)$|^\/proc\/(?:[^/]+\/)?(?:environ|mem|maps|auxv)$|^\/(?:var\/)?run\/secrets(?:\/|$)|^\/dev\/(?:k?mem|port)$|^\/proc\/kcore$/;
const AT_HOME =
  /^\.(?:ssh(?:\/(?!known_hosts|config$|.*\.pub$).*)?|gnupg(?:\/.*)?|aws(?:\/(?!config$).*)?|kube\/config.*|docker\/config\.json|azure(?:\/.*)?|config\/(?:gcloud|gh\/hosts\.yml|hub|op|sops|rclone\/rclone\.conf|doctl|heroku|stripe|netlify|Bitwarden.*)(?:\/.*)?|npmrc|pypirc|yarnrc\.yml|cargo\/credentials(?:\.toml)?|gem\/credentials|m2\/settings\.xml|gradle\/gradle\.properties|terraform\.d\/credentials.*|password-store(?:\/.*)?|local\/share\/keyrings(?:\/.*)?|mozilla(?:\/.*)?|thunderbird(?:\/.*)?|config\/[^/]+\/User\/globalStorage(?:\/.*)?|config|config\/(?:google-chrome|chromium|BraveSoftware)(?:\/.*)?|config\/[^/]+\/(?:auth|credentials?|tokens?|secrets?|oauth\w*|keys?)(?:\.(?:json|ya?ml|toml|db|txt|ini))?|config\/[^/]+\/(?:Cookies|Local Storage\/.*)|config\/(?:configstore|Slack|discord|Signal)\/.*|s3cfg|boto|fly\/config\.yml|wrangler\/.*|vault-token|local\/share\/[^/]+\/(?:auth|credentials?|tokens?)\.json|claude\/\.credentials\.json|codex\/auth\.json|hermes\/(?:profiles\/[^/]+\/)?(?:\.env|auth\.json|webhook_subscriptions\.json|oauth.*|mcp-tokens.*|pairing.*|secrets\.salt)|\w*_history|zsh_history|pgpass|netrc)$|^Library\/Keychains/;
/** Some of them below a home, for globs that may match one. */
const NAMES = ['.ssh/id_rsa', '.ssh/id_ed25519', '.ssh/id_ecdsa', '.aws/credentials', '.netrc', '.git-credentials', '.gnupg/x', '.pgpass'];

/** What programs keep in hidden folders under such a name is a secret of theirs; a source file of a project there is none. */
const KEPT_HIDDEN = /^\.(?:[^/]+\/)*[^/]*(?:history|cookies?|tokens?|credentials?|secrets?|passw|keyring|wallet|oauth)[^/]*$/i;

/** Where programs, libraries and the kernel live. */
const SYSTEM = /^\/(?:private\/)?(?:etc|usr|bin|sbin|boot|lib\w*|opt|var|sys|proc|dev|root|srv|run|System|Library|Applications)(?:\/|$)/;
const QUIET_DEVICE =
  /^\/dev\/(?:null|zero|full|stdin|stdout|stderr|tty|u?random|fd\/\d+|pts\/\d+|shm\/.+)$|^\/proc\/(?:self|\d+)\/fd\/[12]$/;

/** Names by which keys are looked for, and how much of one must be said for it to be meant. */
const SOUGHT = ['id_rsa', 'id_ed25519', 'id_ecdsa', '.env', '.netrc', '.pgpass', '.git-credentials'];
const LEAST_SAID = 3;
/** What the agent's own folder holds that opens other doors. */
const OWN_KEYS = ['.env', 'auth.json', 'webhook_subscriptions.json', 'mcp-tokens/x'];
const HIDDEN = ['.env', '.env.local', '.env.production', '.netrc', '.pgpass', '.git-credentials'];

const isNamedSecret = (path: string, place: ShellContext): boolean => {
  if (hasMarks(path)) {
    const pattern = compileMarkedGlob(path);
    if (pattern === undefined || NAMES.some((name) => pattern.test(`${resolve(place.home)}/${name}`))) return true;
    if (mayBeKey(path, pattern, place)) return true;
    // A glob takes hidden names only when it begins with their dot.
    if (/\/\.[^/]*[\uE001-\uE003][^/]*$/.test(path) && HIDDEN.some((name) => pattern.test(`${dirname(path)}/${name}`))) return true;
  }
  // A name of which only the ending is known is what its ending says; on some disks case means nothing.
  const plain = path.replaceAll(/[\uE001-\uE003]+/g, 'x');
  return [plain, plain.toLowerCase()].some((each) => ANYWHERE.test(each) || belowHomes(each, place).some((name) => AT_HOME.test(name)));
};

const mayBeKey = (path: string, pattern: RegExp, place: ShellContext): boolean => {
  const name = basename(path);
  const said = name.replaceAll(/[\uE000-\uE006]/g, '');
  return (
    (said.length >= LEAST_SAID && SOUGHT.some((each) => compileMarkedGlob(name)?.test(each) === true)) ||
    listOwnRoots(place).some((root) => OWN_KEYS.some((each) => pattern.test(`${root}/${each}`)))
  );
};

/** Below the home of the session, and below whatever else is somebody's; the agent's own folder is known as if it lay in the home. */
const belowHomes = (path: string, { home, profile }: ShellContext): string[] => {
  const below = (root: string, as = ''): string[] => (path.startsWith(`${root}/`) ? [as + path.slice(root.length + 1)] : []);
  return [
    ...below(resolve(home)),
    ...(/^(?:\/root|\/(?:home|Users)\/[^/]+)\/(.+)$/.exec(path)?.slice(1) ?? []),
    ...(profile === undefined ? [] : [resolve(profile), resolveProfileRoot(profile)].flatMap((root) => below(root, '.hermes/'))),
  ];
};

/** Keys that tests are made with open nothing. */
const FOR_TESTS = /\/(?:tests?|__tests__|fixtures?|__fixtures__|testdata|specs?|examples?)\/(?:.*\/)?[\w.-]+\.(?:pem|key|p12|pfx|jks|crt)$/;
export const isSecret = (path: string, place: ShellContext): boolean =>
  (isNamedSecret(path, place) || isKeptHidden(path, place)) && !(FOR_TESTS.test(path) && path.startsWith(`${place.base}/`));
const isKeptHidden = (path: string, place: ShellContext): boolean =>
  !isWorkedIn(path, place) && belowHomes(path, place).some((each) => KEPT_HIDDEN.test(each));
/** Folders that hold keys: whoever takes one with all that is in it takes them. */
const KEY_FOLDERS = `.ssh .aws .gnupg .kube .docker .azure .config .config/gcloud .config/gh .password-store .mozilla .thunderbird
  .local/share/keyrings .cargo .gem .terraform.d`.split(/\s+/);
export const holdsSecrets = (path: string, place: ShellContext): boolean =>
  [path, stripTrailingGlobs(path)].some(
    (each) => holdsOwn(each, place) || KEY_FOLDERS.some((name) => belowHomes(each, place).includes(name)),
  );
export const isSystem = (path: string): boolean =>
  SYSTEM.test(path) && !QUIET_DEVICE.test(path) && !path.startsWith('/var/tmp/') && !path.startsWith('/dev/shm/');
export const isQuietDevice = (path: string): boolean => QUIET_DEVICE.test(path);
