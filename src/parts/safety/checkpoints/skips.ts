/** Folders whose contents can be had again from elsewhere, or that keep their own history. */
const SKIPPED: ReadonlySet<string> = new Set(
  `.git .hg .svn .jj node_modules bower_components .venv venv virtualenv .virtualenv __pycache__ .tox .nox .mypy_cache .pytest_cache
  .ruff_cache .ipynb_checkpoints .gradle .cache .parcel-cache .turbo .next .nuxt .svelte-kit .yarn .pnpm-store .terraform .dart_tool
  .eggs .build DerivedData .nyc_output`
    .split(/\s+/)
    .filter((name) => name !== ''),
);
/** A Python environment, and a cache by its maker's own word, whatever the folder is called. */
const MARKS: ReadonlySet<string> = new Set(['pyvenv.cfg', 'CACHEDIR.TAG']);

export const isSkipped = (name: string): boolean => SKIPPED.has(name);
export const isMark = (name: string): boolean => MARKS.has(name);
