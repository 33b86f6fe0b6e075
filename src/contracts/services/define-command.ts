import type { Command, CommandParameter, CommandParameters } from '../command.ts';
import type { ServiceName, Services } from './services.ts';

type NoParameters = { readonly [Name in never]: CommandParameter };
/** Infers the types of values, services and result from the record. */
export const defineCommand = <
  const Arguments extends CommandParameters = NoParameters,
  const Options extends CommandParameters = NoParameters,
  const Needs extends ServiceName = never,
  Result = never,
  Progress = never,
>(
  command: Command<Arguments, Options, Needs, Result, Progress, Pick<Services, Needs>>,
): Command<Arguments, Options, Needs, Result, Progress, Pick<Services, Needs>> => command;
