import { isInside, resolveReachedPath } from '../places/paths.ts';
import type { CommandRule } from '../call/call.ts';
import { isUnknown } from '../values/marks.ts';
import { ask, listOperands, askAboutVerbs } from './rows.ts';
import { changesPackageSource, isOnForge, isRepositoryFile, isSourceFile, OPEN_FOLDER, opensSearch, runsByItself } from './sources.ts';
import { findWriteTargets } from './targets.ts';

/** What stays behind and runs or counts later, besides the files that are known for it. */
export const LASTING: readonly CommandRule[] = [
  ask('package_source', 'it changes where packages come from', (_name, _args, call, place) =>
    findWriteTargets(call).some((word) => isSourceFile(resolveReachedPath(word, place) ?? '')),
  ),
  ask(
    'git_internals',
    "it changes a repository's own files",
    (name, args, call, place) =>
      findWriteTargets(call).some((word) => isRepositoryFile(resolveReachedPath(word, place) ?? '')) ||
      (/^(?:rm|unlink|chmod)$/.test(name) &&
        listOperands(args).some((word) =>
          /\/\.git\/(?:hooks\/(?!.*\.sample$)|config$|HEAD$|index$)/.test(resolveReachedPath(word, place) ?? ''),
        )) ||
      (name === 'mv' &&
        listOperands(args)
          .slice(0, -1)
          .some((word) => /(?:^|\/)\.git(?:\/(?!.*\.lock$).*)?$/.test(resolveReachedPath(word, place) ?? ''))),
  ),
  ask('package_source', 'it takes packages from another place than usual', (name, args, { settings }) =>
    [...settings, ...(/^(?:export|env|declare)$/.test(name) ? args : [])].some(changesPackageSource),
  ),
  ask('search_path', 'it lets programs or libraries be found where anybody may put them', (name, args, { settings }) =>
    [...settings, ...(/^(?:export|env|declare|typeset|sudo)$/.test(name) ? args : [])].some(opensSearch),
  ),
  ask(
    'hidden_program',
    'it runs a program from a folder anybody may write to, hidden or left behind',
    (_name, _args, { path, background, from }) =>
      (OPEN_FOLDER.test(path) && (/\/\.[^/]+$/.test(path) || background || from.some((each) => /^(?:nohup|setsid|disown)$/.test(each)))) ||
      path.startsWith('/dev/shm/'),
  ),
  ask(
    'persistence',
    'it lets a package tool run something by itself',
    (name, args) => /^(?:npm|pnpm|yarn|bun)$/.test(name) && args.some((word) => runsByItself(word)),
  ),
  ask(
    'persistence',
    'it puts a program from a folder anybody may write to in the place of another',
    (name, args) => name === 'alias' && args.some((word) => OPEN_FOLDER.test(word.slice(word.indexOf('=') + 1))),
  ),
  ask('persistence', 'it writes a file that is run by its name, wherever it lies', (_name, _args, call) =>
    findWriteTargets(call).some(
      (word) =>
        /(?:user|site)customize\.py$|site-packages\/.*\.pth$|(?:^|\/)authorized_keys2?$/.test(word) ||
        (word.endsWith('.pth') && /\/[^/]+$/.test(word) && isUnknown(word)),
    ),
  ),
  ask('git_remote', 'it sends the work of this repository to another place from now on', (name, args) => {
    const at = args.indexOf('set-url');
    return (
      name === 'git' &&
      at > 0 &&
      args[at - 1] === 'remote' &&
      listOperands(args.slice(at + 1)).some((word) => /[:/]/.test(word) && !isOnForge(word))
    );
  }),
  ask('persistence', 'it starts at every login from now on or loads what was put there', (name, args, _call, place) =>
    name === 'code'
      ? args.includes('--install-extension') && args.some((word) => word.endsWith('.vsix'))
      : name === 'ldconfig' && listOperands(args).some((word) => !isInside(resolveReachedPath(word, place) ?? '', place)),
  ),
  askAboutVerbs('persistence', 'it changes what is run or trusted later', {
    bundle: /^config\b.*\b(?:mirror|source)/i,
    go: /^env\s+-w\b.*\b(?:GOPROXY|GONOSUMDB|GONOSUMCHECK|GOSUMDB|GOINSECURE|GOFLAGS|GOPRIVATE|GONOPROXY|GOTOOLCHAIN|GOROOT|GOBIN|CC|CXX)=/,
    'apt-key': /\badd\b|adv|del/,
    'dpkg-divert': /^(?!--(?:list|listpackage|truename))/,
    pm2: /\b(?:startup|save|unstartup)\b/,
    gem: /^sources\b.*(?:-a|--add|-r|--remove|-c|--clear)/,
    npm: /^set-script\s+(?:pre|post|prepare)|^(?:set|c(?:onfig)?\s+(?:set|edit|delete))\s+.*(?:registry|prefix|script-shell|proxy|cafile|strict-ssl|_auth|ignore-scripts|node-options|globalconfig|userconfig|init-module|onload-script)/i,
    poetry: /^config\s+(?:repositories|http-basic|certificates)/,
    cargo: /^(?:login|logout)\b/,
    helm: /^repo\s+add\b.*http:/,
    trust: /anchor/,
    'update-ca-certificates': true,
    'update-ca-trust': true,
    certutil: /-A\b|-D\b|-M\b/,
    'run-parts': /^(?!.*(?:--test|--list|--help))/,
    gpg: /--(?:sign-key|lsign-key|edit-key|import-ownertrust|delete-keys?)/,
    'xdg-settings': /^set\b/,
    asdf: /plugin\s+add\b.*(?:https?:|git@)/,
    husky: /^(?:add|set)\b.*(?:curl|wget|\/tmp\/)/,
    fc: /(?:^|\s)-s\b|(?:^|\s)-e\b/,
    history: /(?:^|\s)-s\b/,
    systemctl: /\bdaemon-reload\b.*\benable\b/,
    loginctl: /enable-linger/,
    incrontab: true,
  }),
];
