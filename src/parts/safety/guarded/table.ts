import { lazy } from '../../../base/lazy.ts';
import { CONTEXT_FILE_NAMES, CONTEXT_RULES } from '../../../base/context-file-names.ts';

/**
 * A file of a project that runs or instructs by itself later: when its owner merely looks, enters, opens or commits. What
 * runs only when he knowingly runs the project's code (scripts, makefiles, tests) is not among them.
 */
export interface LastingFileRow {
  readonly what: GuardedKind;
  /** Globs in lower case, in whatever folder: `*` is a part of a name, `**` all that lies below. */
  readonly files: readonly string[];
  readonly why: string;
  /** Only where a project begins: deeper down it is an ordinary name. */
  readonly isAtTop?: true;
  /** Only with such a text in it. */
  readonly counts?: RegExp;
}
export type GuardedKind =
  | 'git hook'
  | 'git config'
  | 'git link'
  | 'git program'
  | 'editor task'
  | 'context file'
  | 'start-up file'
  | 'package source';

const names = (text: string): readonly string[] => text.trim().split(/\s+/);

export const GUARDED_ROWS: readonly LastingFileRow[] = [
  {
    what: 'git hook',
    files: names('.git/hooks/* .git/modules/**/hooks/* .husky/** .githooks/**'),
    why: 'git runs it at the next commit, checkout, merge or push',
  },
  {
    what: 'git hook',
    files: names(`.pre-commit-config.yaml .pre-commit-config.yml lefthook.yml lefthook.yaml .lefthook.yml .lefthook.yaml lefthook-local.yml
      .lefthook-local.yml .lefthookrc .overcommit.yml .huskyrc .huskyrc.json .huskyrc.js .simple-git-hooks.json .simple-git-hooks.js`),
    why: 'installed hooks read from it what they run at the next commit',
  },
  {
    what: 'git config',
    files: names(`.git/config .git/config.worktree .git/info/attributes .git/remotes/* .git/branches/* .git/objects/info/alternates
      .git/worktrees/*/config.worktree .git/modules/**/config .git/modules/**/config.worktree .git/modules/**/info/attributes`),
    why: 'even git status runs programs that are named in it',
  },
  {
    what: 'git link',
    files: names('.git .git/commondir .git/gitdir .git/worktrees/*/commondir .git/modules/**/commondir'),
    why: 'it sends git to another folder for its settings and hooks',
  },
  {
    what: 'editor task',
    files:
      names(`.vscode/tasks.json .vscode/settings.json .vscode/launch.json .vscode/extensions.json .vscode/mcp.json .vscode/c_cpp_properties.json .vscode/cmake-kits.json *.code-workspace
            .vs/tasks.vs.json .vs/launch.vs.json .zed/settings.json .zed/tasks.json .fleet/settings.json .fleet/run.json
      .theia/settings.json .theia/tasks.json .nova/tasks/** .nova/configuration.json *.sublime-project`),
    why: 'an editor that opens the folder runs tasks, programs and extensions it names',
  },
  {
    what: 'editor task',
    // Not workspace.xml: an open IDE writes it every few seconds, and what is configured there runs at its start only if startup.xml says so.
    files: names(
      '.idea/startup.xml .idea/runconfigurations/** .run/** .idea/externaldependencies.xml .idea/watchertasks.xml .idea/tools/**',
    ),
    why: 'an IDE that opens the folder runs start-up tasks, watchers and tools it names',
  },
  {
    what: 'editor task',
    files: names('.devcontainer/** .devcontainer.json .gitpod.yml .gitpod.yaml .codesandbox/** .idx/**'),
    why: 'an editor builds and starts a container from it, with commands on this machine too',
  },
  {
    what: 'editor task',
    files: names(
      '.helix/** .ycm_extra_conf.py .exrc .vimrc .nvimrc .nvim.lua .lvimrc .localrc.vim .vim/vimrc .vim/coc-settings.json .dir-locals.el .dir-locals-2.el .emacs .emacs.el .emacs.d/init.el .emacs.d/early-init.el',
    ),
    why: 'an editor started in the folder runs it',
  },
  {
    what: 'editor task',
    files: names('.bsp/** hie.yaml'),
    why: 'an editor that opens the folder starts the build server or the program it names',
  },
  {
    what: 'start-up file',
    files: ['vagrantfile'],
    why: 'vagrant runs it even when it is only asked for the status',
  },
  {
    what: 'start-up file',
    isAtTop: true,
    // Not those that a program of one's own is often called by: calendar, code, queue, test.
    files: names(`argparse collections contextlib copy datetime email enum functools hashlib html http inspect json linecache mimetypes
      pathlib pdb pip pydoc random re rlcompleter shutil signal sitecustomize socket sqlite3 struct subprocess tarfile tempfile threading
      timeit tokenize traceback typing unittest urllib usercustomize uuid venv warnings webbrowser zipfile`).flatMap((name) => [
      `${name}.py`,
      `${name}/__init__.py`,
    ]),
    why: 'python3 -m json.tool, started in the folder, runs it in place of the module of that name that Python has',
  },
  {
    what: 'start-up file',
    files:
      names(`.envrc .envrc.local .envrc.private .mise.toml mise.toml .mise.local.toml mise.local.toml .mise/** mise/config.toml .config/mise.toml .config/mise/** .rtx.toml
      .tool-versions .autoenv .env.leave .autoenv.zsh .lando.yml .tmuxinator.yml .tmux.conf .screenrc`),
    why: 'a shell that enters the folder runs it, or takes its programs from where it says',
  },
  {
    what: 'start-up file',
    files: names(`.bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin .zlogout
      .gdbinit .lldbinit`),
    why: 'a shell or debugger runs it at its start, from here or by a link in the home folder',
  },
  {
    what: 'start-up file',
    files: names(
      '.irbrc .pryrc .pdbrc .rprofile .renviron .rdata .ipython/** .jupyter/** .octaverc .ghci .iex.exs .ocamlinit .perldb .erlang .gnuplot .psysh.php jupyter_notebook_config.py jupyter_notebook_config.json jupyter_server_config.py jupyter_server_config.json jupyter_lab_config.py ipython_config.py',
    ),
    why: 'an interpreter started in the folder runs it',
  },
  {
    what: 'start-up file',
    files: names('.hg/hgrc .jj/repo/config.toml .sl/config'),
    why: 'even looking at the status of the repository runs programs that are named in it',
  },
  {
    what: 'context file',
    files: [
      ...new Set(
        Object.values(CONTEXT_FILE_NAMES)
          .flat()
          .map((name) => name.toLowerCase()),
      ),
      `${CONTEXT_RULES.folder}/**`,
      ...names(`agents.override.md claude.local.md soul.md skill.md gemini.md qwen.md warp.md crush.md .windsurfrules .clinerules .clinerules/** .roorules
        .roo/** .windsurf/** .goosehints .aider.conf.yml .rules .junie/** .kiro/** .augment/** .amazonq/** .continue/** .trae/**
        .github/copilot-instructions.md .github/instructions/** .github/prompts/** .github/agents/** .github/chatmodes/** .agents/**`),
    ],
    why: 'an agent that works in the folder takes it for instructions of its owner',
  },
  {
    what: 'context file',
    files: names(`.claude/settings.json .claude/settings.local.json .claude/commands/** .claude/agents/** .claude/hooks/** .claude/skills/**
      .claude/rules/** .claude/plugins/** .claude/output-styles/** .hermes/** .codex/** .gemini/** .opencode/** opencode.json opencode.jsonc
      .cursor/mcp.json .cursor/hooks.json .cursor/hooks/** .cursor/commands/** .cursor/environment.json .mcp.json`),
    why: 'an agent that starts in the folder runs the hooks, servers and commands it names',
  },
  {
    what: 'package source',
    files: names('rust-toolchain rust-toolchain.toml'),
    why: 'cargo and rustc, started in the folder, are the programs at the path it names',
    counts: /^\s*["']?path["']?\s*=/m,
  },
  {
    what: 'package source',
    files: names('global.json'),
    why: 'dotnet, started in the folder, is the program at the path it names',
    counts: /"paths"/,
  },
  {
    what: 'package source',
    files: names('pnpm-workspace.yaml'),
    why: 'pnpm, started in the folder, loads the programs and asks the sources that it names',
    counts:
      /^\s*["']?(?:registr(?:y|ies)|pnpmfile|globalPnpmfile|scriptShell|configDependencies|https?-?proxy|ca|strictSsl|nodeMirror\S*|shellEmulator)["']?\s*:/im,
  },
  {
    what: 'package source',
    files: names('gradle/wrapper/gradle-wrapper.properties'),
    why: 'gradlew downloads the program it names',
    counts: /^\s*distributionUrl\s*[=:](?!\s*https\\?:\/\/services\.gradle\.org\/)/m,
  },
  {
    what: 'package source',
    files: names('.lfsconfig'),
    why: 'git sends large files where it says, at the next push',
  },
  {
    what: 'package source',
    files:
      names(`.yarn/releases/** .yarn/plugins/** .pnpmfile.cjs .pnpmfile.mjs uv.toml nuget.config pdm.toml poetry.toml ansible.cfg .npmrc .yarnrc .yarnrc.yml bunfig.toml .cargo/config .cargo/config.toml pip.conf pip.ini .bazelrc .bazeliskrc
      .mvn/jvm.config .mvn/maven.config .mvn/extensions.xml .mvn/wrapper/maven-wrapper.properties
      .bundle/config .condarc .sdkmanrc`),
    why: 'it selects the programs, wrappers or package sources that everyday commands use',
  },
];

/** What a path is by its name, wherever it lies; nothing for an ordinary file. Names are compared as a disk that ignores case would. */
export function findGuardedRow(path: string): LastingFileRow | undefined {
  const plain = path.toLowerCase();
  if (!plain.split('/').some(isTelling) || plain.endsWith('.sample')) return undefined;
  return compiled().rows.find(({ pattern }) => pattern.test(plain))?.row;
}

export const listGuardedKinds = (): readonly GuardedKind[] => [...new Set(GUARDED_ROWS.map(({ what }) => what))];

/** Whether guarded files lie below a folder of this name: a link of that name stands for all of them. */
export const isGuardedFolder = (path: string): boolean => {
  const plain = path.toLowerCase();
  return plain.split('/').some(isTelling) && compiled().folder.test(plain);
};

const GLOBS = GUARDED_ROWS.flatMap(({ files }) => files);
/** The first name of each glob: most paths hold none of them, which is told without looking at all the globs. */
const TELLING: ReadonlySet<string> = new Set(GLOBS.map((glob) => glob.split('/')[0] ?? glob));
const TELLING_ENDS = [...TELLING].flatMap((name) => (name.startsWith('*') ? [name.slice(1)] : []));
/** Whether a guarded path begins with this name. */
export const beginsGuarded = (name: string): boolean => TELLING.has(name.toLowerCase());
const isTelling = (name: string): boolean => TELLING.has(name) || TELLING_ENDS.some((end) => name.endsWith(end));

const toSource = (glob: string): string =>
  glob
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('**', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '.+');
const endingIn = (sources: readonly string[]): RegExp => new RegExp(`(?:^|/)(?:${sources.join('|')})$`);
const folderOf = (glob: string): string => glob.slice(0, glob.lastIndexOf('/'));
const compiled = lazy(() => ({
  rows: GUARDED_ROWS.map((row) => {
    const sources = row.files.map(toSource);
    return { row, pattern: row.isAtTop === true ? new RegExp(`^(?:${sources.join('|')})$`) : endingIn(sources) };
  }),
  folder: endingIn([
    ...new Set(
      GUARDED_ROWS.flatMap(({ files, isAtTop }) => (isAtTop === true ? [] : files))
        .filter((glob) => glob.includes('/'))
        .map((glob) => toSource(folderOf(glob))),
    ),
  ]),
}));
