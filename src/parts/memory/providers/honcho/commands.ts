import type { AnyCommand } from '../../../../contracts/command.ts';
import { honchoIdentity, honchoMigrate, honchoStatus } from './asking-commands.ts';
import { honchoMap, honchoPeers, honchoSessions, honchoSync } from './profile-commands.ts';
import { honchoDisable, honchoEnable, honchoMode, honchoPeer, honchoSetup, honchoTokens } from './setting-commands.ts';

/** `hermes honcho …`, there while Honcho is the memory provider. */
export const HONCHO_COMMANDS: readonly AnyCommand[] = [
  honchoSetup,
  honchoStatus,
  honchoPeers,
  honchoSessions,
  honchoMap,
  honchoPeer,
  honchoMode,
  honchoTokens,
  honchoIdentity,
  honchoMigrate,
  honchoEnable,
  honchoDisable,
  honchoSync,
];
