import { toVisibleLine } from '../../base/visible.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { drawTable } from '../../base/screen/table.ts';
import {
  describeProfile,
  profileCreate,
  profileDelete,
  profileExport,
  profileImport,
  profileList,
  profileRename,
  profileShow,
  profileUse,
} from '../../commands/profile.ts';
import type { CreatedProfile, ProfileRow } from '../../contracts/services/profiles.ts';
import { renderCommand, type RendererRow } from './renderer.ts';

function renderProfiles(rows: readonly ProfileRow[], screen: Screen): string {
  const { paint } = screen;
  const lines = drawTable(
    [{ heading: '' }, { heading: 'profile' }, { heading: 'model' }, { heading: 'description', flexible: true }],
    rows.map(({ name, active, model = '', description = '' }) => [
      { text: active ? '*' : '', paint: paint.good },
      { text: name, paint: paint.accent },
      toVisibleLine(model),
      toVisibleLine(description),
    ]),
    screen,
  );
  return `${lines.join('\n')}\n\n${paint.faint('* is used when none is named. hermes -p NAME uses another one once.')}\n`;
}

function renderCreated({ profile: { name, home }, taken, left, powerful = [] }: CreatedProfile): string {
  const from = taken.length === 0 ? [] : [`Copied: ${taken.join(', ')}.`];
  const behind = left.length === 0 ? [] : [`Not copied: ${left.map(toVisibleLine).join(', ')}.`];
  const caution =
    powerful.length === 0
      ? []
      : [
          `Its settings can start programs or change what is asked (${powerful.join(', ')}). If somebody else made it, read its config.yaml first.`,
        ];
  const lines = [`Created the profile ${name} in ${toVisibleLine(home)}.`, ...from, ...behind, ...caution, `To use it: hermes -p ${name}`];
  return `${lines.join('\n')}\n`;
}

export const ROWS: readonly RendererRow[] = [
  renderCommand(profileList, { text: renderProfiles }),
  renderCommand(profileShow, { text: (view) => `${describeProfile(view)}\n` }),
  renderCommand(profileCreate, { text: renderCreated }),
  renderCommand(profileImport, { text: renderCreated }),
  renderCommand(profileUse, {
    text: ({ name }) => `hermes uses the profile ${name} from now on, unless HERMES_HOME or -p names another.\n`,
  }),
  renderCommand(profileRename, { text: ({ from, profile: { name } }) => `The profile ${from} is now ${name}.\n` }),
  renderCommand(profileDelete, { text: ({ name, trash }) => `Moved the profile ${name} to ${toVisibleLine(trash)}.\n` }),
  renderCommand(profileExport, {
    text: ({ name, file, taken, left }) =>
      [
        `Exported the profile ${name} to ${toVisibleLine(file)}: ${taken.join(', ') || 'nothing'}.`,
        ...(left.length === 0 ? [] : [`Left out: ${left.map(toVisibleLine).join(', ')}.`]),
        '',
      ].join('\n'),
  }),
];
