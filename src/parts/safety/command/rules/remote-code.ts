import type { Rule } from '../run/call.ts';
import { MARK } from '../values/marks.ts';
import { ask } from './rows.ts';

/** Code that somebody else wrote, on its way into this machine. */
export const REMOTE_CODE: readonly Rule[] = [
  ask('remote_code', 'it installs or runs code from an address that nobody vouches for', (name, args) => {
    const said = args.join(' ');
    if (/^(?:pip\d?|pipx|uv)$/.test(name))
      return /(?:--(?:extra-)?index-url|-i|--index|--find-links|-f)[= ]+https:\/\/(?!pypi\.org|test\.pypi\.org|download\.pytorch\.org|[\w.-]*pythonhosted\.org)|git\+(?:https?|ssh):\/\/(?:git@)?(?!github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)|(?:--(?:extra-)?index-url|-i|--index|--find-links|-f)[= ]+http:|--trusted-host|(?:^|\s)http:\/\/|(?:^|\s)https:\/\/(?!github\.com|files\.pythonhosted|download\.pytorch)\S+\.(?:whl|tar\.gz|zip)/.test(
        said,
      );
    if (/^python[\d.]*$/.test(name)) return /-m\s+pip\b.*(?:--trusted-host|index-url[= ]+http:|\shttp:)/.test(said);
    if (/^(?:npm|npx|yarn|pnpm|bunx?|pnpx)$/.test(name))
      return (
        /(?:^|\s)(?:git\+)?(?:https?|ssh|git):\/\/\S+|--registry[= ]+https?:\/\/(?!registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.pkg\.github\.com)|(?:^|\s)(?:github|gitlab|bitbucket|gist):\S/.test(
          said,
        ) &&
        !/localhost|127\.0\.0\.1/.test(said) &&
        !/^(?:view|info|audit|ping|config get)/.test(said)
      );
    if (name === 'deno' || name === 'bun') return /(?:run|install|x)\b.*\shttps?:\/\//.test(said);
    if (name === 'go') return /^run\s+(?!\.|-)\S+\.\S+\/\S+@/.test(said);
    if (name === 'cargo') return /\binstall\b.*--git\b|--index[= ]+http/.test(said);
    if (name === 'ansible-pull') return true;
    if (/^(?:kubectl|oc)$/.test(name)) return /\b(?:apply|create|replace)\b.*-f\s*=?\s*https?:/.test(said);
    if (/^(?:helm|terraform|tofu)$/.test(name))
      return /\b(?:install|upgrade|template|init|plugin\s+install)\b.*\shttps?:\/\/|-from-module[= ]*(?:https?|git)/.test(said);
    if (/^(?:gem|apt-key|rpm|dnf|yum|apt|apt-get|dpkg|apk|snap|flatpak|code|brew)$/.test(name))
      return /(?:^|\s)(?:--(?:source|git|from|index)[= ]+)?http:\/\/\S+|--allow-untrusted|--allow-unauthenticated|--nogpgcheck|--force-yes|--no-gpg-check|--no-verify-ssl|(?:install|apply|add|create)\s.*https?:\/\/\S+\.(?:rpm|deb|apk|vsix)|--dangerous/.test(
        said,
      );
    if (name === 'docker' || name === 'podman')
      return /--disable-content-trust=true|run.*http:|\b(?:build|import)\b.*\s(?:https?:\/\/|git@)|\bload\b.*http/.test(said);
    return (
      (name === 'conda' && /-c\s+http:/.test(said)) ||
      (name === 'poetry' && /source\s+add\s.*http:/.test(said)) ||
      name === 'regsvr32' ||
      name === 'mshta' ||
      name === 'certutil' ||
      name === 'bitsadmin' ||
      name === 'add-apt-repository'
    );
  }),
  ask(
    'remote_code',
    'it runs what another command puts out',
    (name, args) => /^(?:php|lua|Rscript)$/.test(name) && args.some((word) => word.includes(MARK.unknown) && /^-[er]/.test(word)),
  ),
];
