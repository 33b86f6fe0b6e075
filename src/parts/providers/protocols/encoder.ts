import type { ModelRequest, ViewMessage } from '../../../contracts/provider.ts';
import type { ProviderQuirks } from '../../../contracts/provider-profile.ts';
import { withSegments, collectMemoInputs, createMemo, type Encoder, type WireMessage } from './wire.ts';

export interface EncodeContext {
  readonly quirks: ProviderQuirks;
  readonly request: ModelRequest;
}
/** Messages of ours that are one on the wire. */
export type MessageGroup = readonly [ViewMessage, ...ViewMessage[]];

/** What one wire does its own way. Pure functions: what they gave is used again for as long as their inputs stay. */
export interface WireForm {
  grouped?(views: readonly ViewMessage[]): readonly MessageGroup[];
  tools(request: ModelRequest): string;
  system(context: EncodeContext): WireMessage;
  message(group: MessageGroup, context: EncodeContext): WireMessage;
  body(context: EncodeContext, tools: string, system: WireMessage, messages: readonly WireMessage[]): string;
}

export function createEncoder(quirks: ProviderQuirks, { grouped = alone, ...form }: WireForm): Encoder {
  const rememberTools = createMemo<string>();
  const remember = createMemo<WireMessage>();
  return (request) => {
    const context = { quirks, request };
    const tools = rememberTools([request.tools, request.adjust.plainSchemas], () => form.tools(request));
    const system = form.system(context);
    const inputs = collectMemoInputs(request);
    const messages = grouped(request.messages).map((group) => remember(inputs(group), () => form.message(group, context)));
    return withSegments(form.body(context, tools, system, messages), tools, system.json, messages);
  };
}

const alone = (views: readonly ViewMessage[]): readonly MessageGroup[] => views.map((view) => [view]);
