import { takeStart } from '../../base/text.ts';
import type { AdmitText } from '../../contracts/scan.ts';
import { ANYTHING, withoutProse, collectSchemaWords, type RemoteTool } from './remote-tools.ts';

export interface JudgedTool extends RemoteTool {
  /** What of its words the model must not read; absent when all of them may be read. */
  readonly blocked?: 'description' | 'parameters';
}
export interface JudgedTools {
  readonly tools: readonly JudgedTool[];
  /** For the owner. */
  readonly notices: readonly string[];
}

/** A description stands in every request of a session: a server must not fill the prompt. */
const LONGEST = 1_024;

/**
 * What a server says about its tools is foreign words in the prompt. Each text is admitted whole before it is cut; a
 * blocked one is replaced by neutral words, and the tool keeps its name.
 */
export function judgeTools(server: string, tools: readonly RemoteTool[], admit: AdmitText): JudgedTools {
  const notices: string[] = [];
  const passes = (text: string, name: string): boolean => {
    if (text.trim() === '') return true;
    const admission = admit(text, { kind: 'skill', name, owned: false });
    notices.push(...(admission.allow ? admission.notices : [admission.notice]));
    return admission.allow;
  };
  const judged = tools.map((tool) => judgeTool(tool, server, passes));
  return { tools: judged, notices };
}

function judgeTool(tool: RemoteTool, server: string, passes: (text: string, name: string) => boolean): JudgedTool {
  const name = `tool ${sanitizeToolName(tool)} of mcp server ${server}`;
  const admitted = passes(tool.description, `description of ${name}`);
  const open = passes(collectSchemaWords(tool.input).join('\n'), `parameters of ${name}`);
  const bare = open ? tool.input : withoutProse(tool.input);
  const input = open || passes(collectSchemaWords(bare).join('\n'), `parameter names of ${name}`) ? bare : ANYTHING;
  return {
    ...tool,
    input,
    description: admitted && tool.description.trim() !== '' ? cut(tool.description) : neutral(tool, server),
    ...((!admitted || !open) && { blocked: admitted ? 'parameters' : 'description' }),
  };
}

/** A name is the server's word too. */
export const sanitizeToolName = ({ name }: Pick<RemoteTool, 'name'>): string => name.replaceAll(/[^\w-]/g, '_').slice(0, 64);
const neutral = (tool: RemoteTool, server: string): string => `Calls ${sanitizeToolName(tool)} of the MCP server ${server}.`;
const cut = (text: string): string => (text.length <= LONGEST ? text : `${takeStart(text, LONGEST)}…`);
