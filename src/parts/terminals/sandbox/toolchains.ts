import { delimiter, isAbsolute, join, normalize } from 'node:path';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import { splitWords } from '../../../base/text.ts';
import { HOME_SECRETS } from './hidden.ts';

/** What programs in a folder of PATH need besides it, by where that folder lies below the home. Adding a toolchain is a row. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  '.cargo/bin': ['.rustup'],
  '.local/bin': splitWords('.local/share/pipx .local/pipx .local/share/uv/tools .local/share/uv/python .local/lib .local/share/mise'),
  '.nvm': ['.nvm/versions'],
  '.local/share/pnpm': ['.local/share/pnpm/global'],
  '.bun': ['.bun/bin'],
  '.deno': ['.deno/bin'],
  '.asdf': ['.asdf', '.tool-versions'],
  '.local/share/mise': ['.local/share/mise', '.config/mise'],
  '.sdkman': ['.sdkman/candidates'],
  '.juliaup': ['.juliaup', '.julia/juliaup'],
  // All of the folder itself.
  ...Object.fromEntries(
    splitWords(`.volta .local/share/fnm .npm-global .pyenv .rye .poetry miniconda3 anaconda3 miniforge3 sdk .local/go .goenv flutter .rbenv .rvm
      .jenv .dotnet .ghcup .opam .nix-profile .linuxbrew`).map((name) => [name, [name]]),
  ),
};

/**
 * The owner's tools below the home, for work that nobody watches: folders of PATH, and what their programs need. None lies where
 * secrets are kept.
 */
export function findToolchains(home: string, path: string): readonly string[] {
  const named = path.split(delimiter).filter((folder) => isAbsolute(folder) && isWithin(home, folder) && normalize(folder) !== home);
  const found = named.flatMap((folder) => [
    folder,
    ...Object.entries(NEEDS).flatMap(([below, names]) =>
      isWithin(join(home, below), folder) ? names.map((name) => join(home, name)) : [],
    ),
  ]);
  const secrets = HOME_SECRETS.map((name) => join(home, name));
  return [...new Set(found)].filter((place) => {
    const real = realPath(place);
    return real !== undefined && !secrets.some((secret) => isWithin(secret, place) || isWithin(secret, real));
  });
}
